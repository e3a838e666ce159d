import CloserKeys
import CloserTink
import TestSupport

@testable import CloserVault

/// A server that has every document, the couple key of the couple's first invite, and an identity of its own. It makes answers with
/// releases that fit them, and swaps what the two wrote.
final class RevealServer {
    private let papers: RevealPapers
    private let coupleKey: CoupleKey
    private let identity = Keyset(.ecies(ECIESParameters()))
    let key: PublicKeyToken
    /// The public keys of the two.
    private let keys: [PublicKeyToken]
    private var forgeries: [Seat: (answers: [Int], boxes: [Int])] = [:]
    private var swapped: [[Int]: [Int]] = [:]
    private var owns: [[Int]: [Int]] = [:]
    private var passedOn: [Int: Int?] = [:]

    init(_ papers: RevealPapers, coupleKey: CoupleKey, keys: [PublicKeyToken]) throws {
        (self.papers, self.coupleKey, self.keys) = (papers, coupleKey, keys)
        key = try PublicKeyToken(primaryOf: identity)
    }

    /// How an answer is forged.
    private enum Forgery: String, CaseIterable {
        case underCoupleKey = "forged under the couple key"
        case again = "forged once more under the couple key"
        case underOwnKey = "forged under another key"
        case withoutProof = "forged without a proof"
        case ofAnotherDay = "forged for another day"
    }

    /// What this person may be shown that neither of the two wrote: always the same. The first answer is the best.
    func forged(for seat: Seat) throws -> (answers: [Int], boxes: [Int]) {
        if let known = forgeries[seat] { return known }
        let all = try Forgery.allCases.map { try forge($0, for: seat) }
        let forged = (all.map(\.answer), all.map(\.box))
        forgeries[seat] = forged
        return forged
    }

    private func forge(_ forgery: Forgery, for seat: Seat) throws -> (answer: Int, box: Int) {
        let (author, number) = (seat.other, 2)
        let text = RevealPapers.text(number)
        let context = try papers.context(author: author)
        let key = forgery == .underOwnKey ? try CoupleKey(Keyset(.aes256GCM)) : coupleKey
        let place =
            try forgery == .ofAnotherDay ? AnswerPlace(parsing: "daily:2026-11-21") : papers.name.place
        let payload =
            if forgery != .withoutProof, let place {
                try AnswerPayload(hardened: text.utf8, of: context, at: place, key: key)
            } else { try AnswerPayload(compat: text.utf8) }
        let sealed = SealedAnswer(payload, of: context)
        let document = AnswerDocument(sealed, of: context, isInThread: false)
        let content = RevealAnswer.Content(
            sealedAs: author, commitment: papers.names.of(sealed.commitment),
            oneTimeKey: papers.names.oneTimeKey(sealed.oneTimeKey),
            macKey: forgery == .withoutProof ? nil : papers.names.primary(of: key),
            isOfPlace: forgery != .ofAnotherDay, number: number)
        let answer = papers.answer(document, as: author, by: nil, content, trick: forgery.rawValue)
        return (papers.add(answer), try box(sealed, for: seat, trick: forgery.rawValue))
    }

    /// A release of an answer whose one-time key the server has.
    private func box(_ sealed: SealedAnswer, for seat: Seat, trick: String) throws -> Int {
        let (author, key) = (seat.other, keys[seat.rawValue])
        let (context, recipient) = (try papers.context(author: author), try UserID(parsing: seat.user))
        let keybox = sealed.release(of: context, to: recipient, key: key)
        return papers.add(
            RevealBox(
                document: ReleaseKeyDocument(keybox, from: context.author, to: recipient), label: author,
                author: nil, trick: trick, name: papers.names.of(keybox),
                oneTimeKey: papers.names.oneTimeKey(sealed.oneTimeKey), sender: author, recipient: seat,
                sealedTo: papers.names.of(key)))
    }

    // MARK: - What it makes of the genuine

    /// A genuine answer with the text or the commitment of a forged one.
    func swapped(_ genuine: Int, for seat: Seat) throws -> [Int] {
        guard let forged = try forged(for: seat).answers.first else { return [] }
        if let known = swapped[[genuine, forged]] { return known }
        let made = [
            try joined(forged, genuine, for: seat, "a forged text under the genuine commitment"),
            try joined(genuine, forged, for: seat, "the genuine text under a forged commitment"),
        ]
        swapped[[genuine, forged]] = made
        return made
    }

    /// This person's own answer under the partner's name.
    func reflected(_ own: Int, for seat: Seat) throws -> Int {
        try joined(own, own, for: seat, "our own answer under the partner's name")
    }

    /// What this person may be handed as their own document, beside the genuine one.
    func owns(for seat: Seat, own: Int, theirs: Int?) throws -> [Int] {
        if let known = owns[[own, theirs ?? -1]] { return known }
        var made = Array(try forged(for: seat.other).answers.prefix(1))
        func join(_ text: Int, _ commitment: Int, _ trick: String, of question: QuestionID? = nil) throws {
            made.append(try joined(text, commitment, for: seat.other, trick, of: question))
        }
        for forged in made { try join(forged, own, "a forged text under our own commitment") }
        try join(own, own, "our own answer to another question", of: QuestionID(parsing: "q_43"))
        if let theirs {
            made.append(theirs)
            try join(theirs, theirs, "the partner's answer under our name")
        }
        owns[[own, theirs ?? -1]] = made
        return made
    }

    private func joined(
        _ text: Int, _ commitment: Int, for seat: Seat, _ trick: String, of question: QuestionID? = nil
    ) throws -> Int {
        let (text, commitment) = (papers.answers[text], papers.answers[commitment])
        let sealed = SealedAnswer(
            token: text.delivered.document.token, commitment: commitment.delivered.document.commitment,
            oneTimeKey: Keyset(.aes256GCM))
        let context = try papers.context(author: seat.other, of: question)
        let document = AnswerDocument(sealed, of: context, isInThread: false)
        return papers.add(papers.answer(document, as: seat.other, by: nil, text.content, trick: trick))
    }

    /// This person's own release, as if the partner had made it.
    func reflected(box own: Int, for seat: Seat) throws -> Int {
        let own = papers.boxes[own]
        let document = ReleaseKeyDocument(
            own.document.keybox, from: try UserID(parsing: seat.other.user),
            to: try UserID(parsing: seat.user))
        return papers.add(
            RevealBox(
                document: document, label: seat.other, author: nil, trick: "our own release", name: own.name,
                oneTimeKey: own.oneTimeKey, sender: own.sender, recipient: own.recipient,
                sealedTo: own.sealedTo))
    }

    /// A release that was made to the server's key, sealed once more to the one it is for; nil if the server cannot open it.
    func passedOn(_ box: Int) throws -> Int? {
        if let known = passedOn[box] { return known }
        let release = papers.boxes[box]
        let opened = try open(release)
        passedOn[box] = try opened.map { sealed in
            try self.box(sealed, for: release.recipient, trick: "a release that the server could open")
        }
        return passedOn[box] ?? nil
    }

    /// The one-time key in a release, with what it opens.
    private func open(_ box: RevealBox) throws -> SealedAnswer? {
        let release = KeyContext.release(try papers.context(author: box.sender), to: box.document.recipientID)
        guard
            let opened = try? HybridBox.open(box.document.keybox.box, with: identity, context: release.bytes),
            let answer = papers.answers.first(where: { $0.content.oneTimeKey == box.oneTimeKey })
        else { return nil }
        return SealedAnswer(
            token: answer.delivered.document.token, commitment: answer.delivered.document.commitment,
            oneTimeKey: try InsecureCleartextKeyset.read(binary: opened.plaintext, .strict))
    }
}
