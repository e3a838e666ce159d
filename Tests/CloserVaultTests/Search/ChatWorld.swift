import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport

@testable import CloserVault

/// Two people who chat, one of them on two devices, a third whom one of them knows, and a server that shows what it likes.
final class ChatWorld {
    private let walkers: [ChatWalker]
    private let carol: UserID
    private var mails: [ChatMail] = []
    private var draws: SeededDraws
    private(set) var faults: [String] = []
    private(set) var stepCount = 0
    private(set) var trail: [String] = []
    private(set) var reached: [String: Int] = [:]

    init(seed: UInt64) throws {
        let vaults = MemoryVaults()
        draws = SeededDraws(seed: seed)
        walkers = [
            try ChatWalker(vaults, place: 0, devices: 2), try ChatWalker(vaults, place: 1, devices: 1),
        ]
        carol = try ChatScene.user("carol")
        try walkers[0].vault.pin(X25519PrivateKey().publicKey, of: carol)
        for walker in walkers { try walker.meet(walkers[1 - walker.place]) }
        // A chat key of the same index as the first one of the two.
        _ = try toCarol.renew()
    }

    private var toCarol: Vault.Chat { get throws { try walkers[0].vault.chat(with: carol) } }

    enum Move: CaseIterable {
        case send, send2, send3, sendLost, sendAgain, receive, receive2, receive3, exchange, preview
        case renew, renewNow, take, take2, takeOther, days, daysAhead, right, keep, putBack, meet
    }

    func step() throws {
        let walker = walkers[draws.below(2)]
        let move = stepCount == 0 ? .meet : Move.allCases.randomElement(using: &draws) ?? .send
        let outcome = try take(move, walker, on: draws.below(walker.deviceCount))
        for walker in walkers { walker.clock += UInt64(1 + draws.below(600)) }
        stepCount += 1
        trail.append("\(move) \(walker.user.text): \(outcome)")
        reached["\(move): \(outcome)", default: 0] += 1
        try look()
    }

    private func take(_ move: Move, _ walker: ChatWalker, on device: Int) throws -> String {
        let (chat, other) = (walker.chat(device), walkers[1 - walker.place])
        switch move {
        case .send, .send2, .send3, .sendLost:
            return try send(walker, chat, ChatScene.id("m\(stepCount)"), isLost: move == .sendLost)
        case .sendAgain:
            guard let id = walker.ids.suffix(40).randomElement(using: &draws) else { return "none" }
            return try send(walker, chat, id, isLost: false)
        case .receive, .receive2, .receive3: return receive(walker, chat)
        case .exchange: return try exchange()
        case .preview: return try preview(walker, chat)
        case .renew, .renewNow: return try renew(walker, chat, always: move == .renewNow)
        case .take, .take2:
            let document = move == .take ? other.documents.last : other.documents.randomElement(using: &draws)
            return document.map { take($0, walker, chat) } ?? "none"
        case .takeOther:
            let document = draws.below(2) == 0 ? walker.documents.last : try toCarol.renew()
            return document.map { take($0, walker, chat) } ?? "none"
        case .days:
            let days = UInt64(1 + draws.below(9))
            for walker in walkers { walker.clock += days * ChatScene.day }
        case .daysAhead: walker.clock += UInt64(1 + draws.below(4)) * ChatScene.day
        case .right: setClocksRight()
        case .keep: walker.keep()
        case .putBack: return try walker.putBack(on: device) ? "done" : "none"
        case .meet: return try meet()
        }
        return "done"
    }

    private func setClocksRight() {
        let now = walkers.map(\.clock).min() ?? 0
        for walker in walkers { walker.clock = now }
    }

    private func expect(_ holds: Bool, _ fault: String) {
        if !holds, !faults.contains(fault) { faults.append(fault) }
    }

    private func tried<Made>(_ body: () throws(VaultError) -> Made) -> Result<Made, VaultError> {
        do { return .success(try body()) } catch { return .failure(error) }
    }

    // MARK: - Messages

    private func send(
        _ walker: ChatWalker, _ chat: Vault.Chat, _ id: MessageID, isLost: Bool
    ) throws -> String {
        var draft = Vault.Chat.Draft(draws.below(2) == 0 ? .text : .image, "of \(id.text)")
        if draws.below(6) == 0 {
            draft = draft.expiring(at: Timestamp(secondsSince1970: walker.clock + ChatScene.day))
        }
        let count = draws.below(4) == 0 ? 1200 : nil
        let result = tried { () throws(VaultError) in try chat.send(draft, id: id, previewCount: count) }
        guard let ours = walker.account.ours.last, let theirs = walker.account.theirs.last else {
            if case .failure(.chat(.notReady)) = result { return "notReady" }
            expect(false, "a message is sealed without a key of each")
            return "sealed"
        }
        let sent = try result.get()
        expect(
            sent.token.senderIndex == ours.index && sent.token.recipientIndex == theirs.index,
            "a message is sealed between other keys than the newest")
        let message = try chat.peek(sent.token, id: id, from: walker.user)
        let known = walker.account.number(of: id)
        expect(known == nil || known == message.number, "a retry has a number of its own")
        expect(walker.isAlone(id, message.number), "two messages have one number")
        let mail = ChatMail(
            id: id, from: walker.place, token: sent.token, preview: sent.preview, message: message,
            author: ours, reader: theirs)
        if !isLost { mails.append(mail) }
        return known == nil ? "done" : "again"
    }

    private func receive(_ walker: ChatWalker, _ chat: Vault.Chat) -> String {
        let mails = mails.filter { $0.from != walker.place }.suffix(25)
        guard let mail = mails.randomElement(using: &draws) else { return "none" }
        let before = walker.bytes
        let result = tried { () throws(VaultError) in try chat.receive(mail.token, id: mail.id) }
        guard isOpened(result.map(\.message), mail, by: walker) else {
            expect(walker.bytes == before, "a message that stays closed is counted")
            return "closed"
        }
        let verdict = walker.account.receive(mail)
        _ = walker.account.take(mail.author, at: walker.clock)
        var missing: [ClosedRange<UInt64>] = []
        if case .failure(.chat(.expired(let gaps))) = result { missing = gaps }
        if case .success(let got) = result {
            expect(got.isNew == verdict.isNew, "a message is called new that was seen, or seen that is new")
            missing = got.missing
        }
        expect(missing == verdict.missing, "another gap is told than there is")
        expect(walker.account.tell(missing), "a gap is told twice")
        return missing.isEmpty ? verdict.isNew ? "new" : "repeated" : "gap"
    }

    /// Whether a message opened where it belongs, which it must while its keys are there.
    private func isOpened(
        _ result: Result<ChatMessage, VaultError>, _ mail: ChatMail, by walker: ChatWalker
    ) -> Bool {
        let isExpired = mail.isExpired(at: walker.clock)
        switch (result, walker.opens(mail)) {
        case (.success, false), (.failure(.chat(.expired)), false):
            expect(false, "a message opens whose key is gone")
        case (.success(let message), _):
            expect(message == mail.message && !isExpired, "another message opens, or an expired one")
        case (.failure(.chat(.expired)), _): expect(isExpired, "a message is called expired")
        case (let other, let opens):
            expect(isClosed(other), "a message is refused: \(other)")
            expect(opens != true, "a message is lost whose key is there")
            return false
        }
        return true
    }

    private func isClosed(_ result: Result<some Any, VaultError>) -> Bool {
        switch result {
        case .failure(.chat(.keyGone)), .failure(.chat(.opening(.authenticationFailed))): true
        default: false
        }
    }

    /// Both look at a message: nothing is counted, and it opens where its keys are.
    private func look() throws {
        guard let mail = mails.randomElement(using: &draws) else { return }
        for walker in walkers {
            let (chat, before) = (walker.chat(draws.below(walker.deviceCount)), walker.bytes)
            let result = tried { () throws(VaultError) in
                try chat.peek(mail.token, id: mail.id, from: walkers[mail.from].user)
            }
            _ = isOpened(result, mail, by: walker)
            expect(walker.bytes == before, "a look is counted")
        }
    }

    /// The server shows a message where it does not belong.
    private func exchange() throws -> String {
        guard let mail = mails.randomElement(using: &draws),
            let id = mails.map(\.id).filter({ $0 != mail.id }).randomElement(using: &draws)
        else { return "none" }
        let (author, reader, before) = (walkers[mail.from], walkers[1 - mail.from], walkers.map(\.bytes))
        let (theirs, ours, toCarol, mirrored) = (
            author.chat(0), reader.chat(0), try toCarol, try mail.mirrored
        )
        for (chat, token, id, sender, fault) in [
            (ours, mail.token, id, author.user, "a message opens under another id"),
            (theirs, mail.token, mail.id, reader.user, "a message opens for its author"),
            (theirs, mirrored, mail.id, reader.user, "a message opens for its author"),
            (theirs, mail.token, mail.id, carol, "a message opens as a third person's"),
            (ours, mail.token, mail.id, carol, "a message opens as a third person's"),
            (ours, mail.token, mail.id, reader.user, "a message opens as its reader's"),
            (toCarol, mail.token, mail.id, carol, "a message opens in another chat"),
        ] {
            let peeked = tried { () throws(VaultError) in try chat.peek(token, id: id, from: sender) }
            expect(isClosed(peeked), fault)
            // What `ours` receives under its id is where it belongs.
            guard chat !== ours || id != mail.id else { continue }
            expect(isClosed(tried { () throws(VaultError) in try chat.receive(token, id: id) }), fault)
        }
        expect(walkers.map(\.bytes) == before, "an exchanged message leaves a trace")
        return "done"
    }

    private func preview(_ walker: ChatWalker, _ chat: Vault.Chat) throws -> String {
        let mails = mails.filter { $0.from != walker.place && $0.preview != nil }
        guard let mail = mails.randomElement(using: &draws), let preview = mail.preview,
            walker.opens(mail) == true, !mail.isExpired(at: walker.clock)
        else { return "none" }
        let before = walker.bytes
        let result = tried { () throws(VaultError) in try chat.receive(preview, id: mail.id) }
        guard case .failure(.chat(.preview)) = result, walker.bytes == before else {
            expect(false, "a preview is counted")
            return "counted"
        }
        let looked = try chat.peek(preview, id: mail.id, from: walkers[mail.from].user)
        expect(looked.isCut && looked.number == mail.message.number, "a preview is of another message")
        return "refused"
    }

    // MARK: - Keys

    private func renew(_ walker: ChatWalker, _ chat: Vault.Chat, always: Bool) throws -> String {
        let due = walker.account.renew(at: walker.clock, always: always)
        let document = try chat.renew(always: always)
        walker.documents.append(document)
        guard let due else {
            expect(walker.account.ours.last == document.chatKey, "a key is drawn that is not due")
            return "same"
        }
        expect(document.index == due && walker.isAlone(document.chatKey), "a due key is not drawn")
        return "drawn"
    }

    private func take(_ document: ChatKeyDocument, _ walker: ChatWalker, _ chat: Vault.Chat) -> String {
        let isTheirs = document.sender == chat.partner && document.recipient == walker.user
        let refusal =
            isTheirs ? walker.account.take(document.chatKey, at: walker.clock) : .macInvalid
        var error: VaultError?
        if case .failure(let found) = tried({ () throws(VaultError) in try chat.take(document) }) {
            error = found
        }
        expect(refusal.map { .chat($0) } == error, "a key is taken or refused otherwise than it must be")
        return refusal?.words.id.rawValue ?? "done"
    }

    /// With right clocks each renews and takes: both are in step, unless one of the two keys was born ahead of now, or the taken one
    /// went with a vault that was given up, and a clock that was set back drew its successor: then `always` mends it.
    private func meet() throws -> String {
        setClocksRight()
        for walker in walkers { _ = try renew(walker, walker.chat(0), always: draws.below(2) == 0) }
        var outcome = "in step"
        for walker in walkers {
            let other = walkers[1 - walker.place]
            if let document = other.documents.last { _ = take(document, walker, walker.chat(0)) }
            let theirs = try walker.chat(0).state.keyIndices.theirs
            let named = try other.chat(0).state.keyIndices.ours
            let isInStep = theirs == named
            let isAhead = [theirs, named].contains { $0.map { UInt64($0) > walker.clock } ?? false }
            if !isInStep, !isAhead { try mend(walker, other) }
            if !isInStep { outcome = "ahead" }
        }
        return outcome
    }
}

extension ChatWorld {
    private func mend(_ walker: ChatWalker, _ other: ChatWalker) throws {
        _ = try renew(other, other.chat(0), always: true)
        if let document = other.documents.last { _ = take(document, walker, walker.chat(0)) }
        let isInStep = try walker.chat(0).state.keyIndices.theirs == other.chat(0).state.keyIndices.ours
        expect(isInStep && other.wasPutBack, "the two are not in step")
    }
}

extension SeededDraws {
    fileprivate mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}
