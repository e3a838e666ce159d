import CloserKeys
import CloserTink
import TestSupport

@testable import CloserVault

// The steps, as the program takes them.

extension RevealVaults {
    func seal(_ content: Int, replacing: Bool, in vault: Vault, as seat: Seat) throws -> Int {
        let text = RevealPapers.text(content)
        let stored = try vault.seal(
            answer: text.utf8, to: papers.name.question, at: papers.place, of: papers.name.couple,
            replacing: replacing)
        guard let sealed = stored.sealed else { preconditionFailure("a sealed answer without its text") }
        let written = RevealAnswer.Content(
            sealedAs: seat, commitment: papers.names.of(stored.commitment),
            oneTimeKey: papers.names.oneTimeKey(sealed.oneTimeKey),
            macKey: try papers.names.primary(of: vault.couple(papers.name.couple).key), number: content)
        return papers.add(papers.answer(try stored.document, as: seat, by: seat, written))
    }

    /// What `seal` printed; nil if it is not what was sealed.
    func document(in vault: Vault, as seat: Seat) throws -> RevealOutput? {
        let document: AnswerDocument
        do { document = try vault.answer(papers.name).document } catch let error as AnswerError {
            throw VaultError.answer(error)
        }
        let (token, commitment) = (papers.names.of(document.token), papers.names.of(document.commitment))
        let number = papers.genuine(commitment)
        guard let number, papers.answers[number].token == token, papers.answers[number].label == seat else {
            return nil
        }
        return .answer(number)
    }

    func release(
        _ theirs: Int, _ owner: RevealStep.KeyOwner, in vault: Vault, as seat: Seat
    ) throws -> Int {
        let key = key(of: owner, for: seat)
        let document = try vault.release(papers.name, to: papers.answers[theirs].delivered, key: key).document
        let own = try vault.answer(papers.name).commitment
        let answer = papers.genuine(papers.names.of(own))
        let reader = owner == .partner ? devices[seat.other.rawValue] : owner == .former ? former : nil
        let opened = try reader.map { try oneTimeKey(in: document, from: seat, with: $0.identity) }
        let claimed = answer.map { papers.answers[$0].content.oneTimeKey }
        return papers.add(
            RevealBox(
                document: document, label: seat, author: seat, name: papers.names.of(document.keybox),
                oneTimeKey: (opened ?? claimed) ?? 0, sender: seat, recipient: seat.other,
                sealedTo: papers.names.of(key)))
    }

    func key(of owner: RevealStep.KeyOwner, for seat: Seat) -> PublicKeyToken {
        switch owner {
        case .partner: devices[seat.other.rawValue].publicKey
        case .former: former?.publicKey ?? devices[seat.other.rawValue].publicKey
        case .own: devices[seat.rawValue].publicKey
        case .server: server.key
        }
    }

    /// The digits that the partner's device shows, beside those of a key here.
    func compare(with owner: RevealStep.KeyOwner, in vault: Vault, as seat: Seat) throws {
        try vault.verify(
            partner:
                devices[seat.other.rawValue].userID, of: papers.name.couple, key: key(of: owner, for: seat),
            against: digits)
    }

    /// What a device of the partner's finds in a release; nil if it does not open.
    private func oneTimeKey(
        in document: ReleaseKeyDocument, from seat: Seat, with identity: Keyset
    ) throws -> Int? {
        let context = KeyContext.release(try papers.context(author: seat), to: document.recipientID).bytes
        guard let opened = try? HybridBox.open(document.keybox.box, with: identity, context: context) else {
            return nil
        }
        return papers.names.of("one-time key", opened.plaintext.testOnlyBytes())
    }

    func reveal(_ step: RevealStep.Reveal, in vault: Vault, as seat: Seat) throws -> RevealOutput {
        let own = step.own.map { OwnAnswer(papers.answers[$0].delivered.document, at: papers.place) }
        let revelation = try vault.reveal(
            papers.name, of: papers.answers[step.theirs].delivered, with: papers.boxes[step.box].document,
            own: own, archiving: step.archiving, allowingUnauthenticated: step.allowing)
        let answer = revelation.answer
        return .shown(
            RevealOutput.Shown(
                hash: papers.names.of(Commitment(to: answer.payload)),
                text: String(decoding: answer.answer, as: UTF8.self), authenticity: revelation.authenticity,
                archived: try archived(revelation, in: vault, as: seat)))
    }

    private func archived(_ revelation: AnswerRevelation, in vault: Vault, as seat: Seat) throws -> [Int]? {
        guard let token = revelation.archive else { return nil }
        try vault.noteArchive(token, of: papers.name)
        let (couple, place) = (try vault.couple(papers.name.couple), papers.place)
        let field = AnswerArchive.fieldPlace(of: papers.name.question, at: place)
        let opened = try couple.fieldKey().open(token, place: field)
        let archive = try AnswerArchive(
            parsing: opened.plaintext, of: couple.id, papers.name.question, at: place)
        guard archive.claim == revelation.authenticity,
            [archive.ours, archive.theirs].map(\.author.text) == [seat.user, seat.other.user]
        else { return [] }
        return [archive.ours, archive.theirs].map { papers.names.of(Commitment(to: $0.payload)) }
    }
}
