import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: PairWithACode
/// The phone that invites. What it gives is for the server, but for the code and the phrase, which are for people.
nonisolated struct Inviter: Sendable {
    let room: VaultActor
    let couple: CoupleID

    /// Keep the draft while the code and the phrase are on the screen.
    func begin() async throws -> OfferDraft {
        let couple = couple
        return try await room.use { vault in try vault.draftOffer(of: couple, beginningAt: .strict) }
    }

    /// After this, everyone who knows the code can pair.
    func store(_ draft: borrowing OfferDraft) async throws -> Data {
        try await room.use { vault in
            let open = try vault.store(draft)
            return Data(open.offer.bytes)
        }
    }

    /// The offer and the code of an offer that is open, as often as they are needed.
    func again() async throws -> (offer: Data, code: String)? {
        let couple = couple
        return try await room.use { vault in
            guard let open = try vault.pendingOffer(of: couple) else { return nil }
            return (Data(open.offer.bytes), InsecureCopy.string(open.code.text))
        }
    }

    /// Checks the reply, once. `show` brings a new phrase to the screen before the check.
    func judge(
        _ reply: Data, consents: PairingConsents = [], showing show: @Sendable (String) throws -> Void
    ) async throws -> Data {
        let couple = couple
        return try await room.use { vault in
            let reply = try PairReply(parsing: reply)
            // This reply came again: the grant got lost on the way.
            if let grant = try vault.grant(for: reply, of: couple) { return Data(grant.bytes) }
            let draft = try vault.draftConfirmation(for: reply, of: couple, consents: consents)
            if draft.isNewPhrase { try show(InsecureCopy.string(draft.phrase.text)) }
            return try Data(vault.store(draft).bytes)
        }
    }
}
// doc: end

// doc: PairWithACode
/// The phone that accepts.
nonisolated struct Acceptor: Sendable {
    let room: VaultActor
    let couple: CoupleID

    /// Gives the reply for the server. `consents` is what the person agreed to when this threw, such as at `.wouldSendKeys`.
    func accept(_ offer: Data, code: String, consents: PairingConsents = []) async throws -> Data {
        let couple = couple
        return try await room.use { vault in
            let offer = try PairOffer(parsing: offer)
            let typed = try PairingCode(typed: SecretBytes(utf8: code))
            let reply = try vault.accept(offer, code: typed, of: couple, consents: consents)
            return Data(reply.bytes)
        }
    }

    /// Takes the grant. `show` brings the phrase to the screen, before anything is stored.
    func take(_ grant: Data, showing show: @Sendable (String) throws -> Void) async throws {
        let couple = couple
        try await room.use { vault in
            let grant = try PairGrant(parsing: grant)
            guard try !vault.hasTaken(grant, of: couple) else { return }
            let draft = try vault.openGrant(grant, of: couple)
            try show(InsecureCopy.string(draft.phrase.text))
            try vault.store(draft)
        }
    }
}
// doc: end

@Suite("The article: Pair with a code")
struct PairWithACodeTests {
    private let couple: CoupleID
    private let rooms: [VaultActor]

    init() throws {
        couple = try CoupleID(parsing: "couple_1")
        rooms = try ["alice", "bob"].map { try VaultActor(Vault.inMemory(for: UserID(parsing: $0))) }
    }

    private var alice: Inviter { Inviter(room: rooms[0], couple: couple) }
    private var bob: Acceptor { Acceptor(room: rooms[1], couple: couple) }

    @Test("the whole way: both are paired, and have the same phrase and the same key") func whole()
        async throws
    {
        let shown = Shown()
        let (alice, bob) = (alice, bob)
        let show = { @Sendable (phrase: String) in shown.add(phrase) }
        // doc: PairWithACode
        let draft = try await alice.begin()
        let code = InsecureCopy.string(draft.code.text)
        let offer = try await alice.store(draft)
        let reply = try await bob.accept(offer, code: code)
        let grant = try await alice.judge(reply) { phrase in show(phrase) }
        try await bob.take(grant) { phrase in show(phrase) }
        // doc: end

        let states = try await [
            rooms[0].use { try $0.pairingState(of: couple) },
            rooms[1].use { try $0.pairingState(of: couple) },
        ]
        #expect(states == [.paired, .paired])
        let keys = try await [
            rooms[0].use { try $0.couple(couple).fingerprint },
            rooms[1].use { try $0.couple(couple).fingerprint },
        ]
        #expect(keys[0] == keys[1])
        #expect(shown.all.count == 1 && shown.all[0].split(separator: " ").count == 10)
        // Each step again gives the same.
        #expect(try await alice.judge(reply) { _ in Issue.record("judged twice") } == grant)
        try await bob.take(grant) { _ in Issue.record("taken twice") }
        #expect(try await alice.again() == nil)
        try await again()
    }

    /// The same two once more: now there are keys to send.
    private func again() async throws {
        let (alice, bob) = (alice, bob)
        let draft = try await alice.begin()
        let code = InsecureCopy.string(draft.code.text)
        let offer = try await alice.store(draft)
        await #expect(throws: VaultError.pairing(.wouldSendKeys)) {
            try await bob.accept(offer, code: code)
        }
        let reply = try await bob.accept(offer, code: code, consents: .sendingKeys)
        #expect(try await bob.accept(offer, code: code) == reply)
    }

    @Test("an open invite can be had again; a wrong code closes it") func wrong() async throws {
        let draft = try await alice.begin()
        let offer = try await alice.store(draft)
        let again = try #require(try await alice.again())
        #expect(again.offer == offer && again.code == InsecureCopy.string(draft.code.text))
        let swapped = again.code.dropLast() + (again.code.hasSuffix("0") ? "1" : "0")
        let reply = try await bob.accept(offer, code: String(swapped))
        await #expect(throws: VaultError.self) { try await alice.judge(reply) { _ in } }
        #expect(try await alice.again() == nil)
    }

    @Test("phrase and code can be moved out of a draft, and of what it is stored as") func taken() throws {
        let vault = try Vault.inMemory(for: UserID(parsing: "alice"))
        let draft = try vault.draftOffer(of: couple, beginningAt: .strict)
        let pending = try vault.store(draft)
        let code = pending.code
        #expect(InsecureCopy.string(code.text) == InsecureCopy.string(draft.code.text))
        guard let phrase = draft.phrase else { throw CancellationError() }
        #expect(InsecureCopy.string(phrase.text).split(separator: " ").count == RecoveryPhrase.wordCount)
        let rewrapped = try vault.draftRewrap(of: couple)
        try vault.store(rewrapped)
        #expect(InsecureCopy.string(rewrapped.phrase.text) != InsecureCopy.string(phrase.text))
    }
}

/// What was on the screens.
private nonisolated final class Shown: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []

    var all: [String] { lock.withLock { texts } }
    func add(_ text: String) { lock.withLock { texts.append(text) } }
}
