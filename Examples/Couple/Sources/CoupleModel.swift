import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Observation

/// What a phone shows: two people who have yet to pair, ten words to write down, the code to read to the partner, a wait for the
/// partner's phone, or the day. A view draws it, and decides nothing.
nonisolated enum Screen: Equatable, Sendable {
    case apart, phrase(String), code(String), waiting, together(Day)
}

/// What the screen of one phone is bound to. Each function is a button, and ``refresh()`` also a start and a push. The vault stores
/// each step before its document goes up. A lost document goes up with the next step.
@Observable @MainActor final class CoupleModel {
    private(set) var screen = Screen.apart
    /// What went wrong, for the person; empty if nothing did.
    private(set) var notice = ""
    private(set) var isBusy = false
    /// Waits while its phrase is on the screen.
    @ObservationIgnored private var draft: Draft?
    let room: VaultActor
    let server: any AppServer
    /// Stores the opening keys where the notification extension reads them: an item in a shared access group.
    let keep: @Sendable (Data) throws -> Void
    let (user, couple, question, place): (UserID, CoupleID, QuestionID, AnswerPlace)

    private enum Draft: ~Copyable, Sendable {
        case offer(OfferDraft), grant(ReceivedGrant)
    }

    init(
        _ room: VaultActor, of user: UserID, _ server: any AppServer,
        keep: @escaping @Sendable (Data) throws -> Void
    ) throws {
        (self.room, self.user, self.server, self.keep) = (room, user, server, keep)
        (couple, question) = (try CoupleID(parsing: "couple_1"), try QuestionID(parsing: "q_42"))
        place = try AnswerPlace(parsing: "daily:2026-11-20")
    }

    func refresh() async { await act {} }
    /// The person has the phrase on paper.
    func written() async { await act { try await store() } }

    func invite() async {
        await act {
            let offer = try await room.use { try $0.draftOffer(of: couple, beginningAt: .strict) }
            let words = offer.phraseText
            draft = .offer(consume offer)
            guard let words else { return try await store() }
            screen = .phrase(InsecureCopy.string(words))
        }
    }

    /// Where the draft cannot be stored, the same one is tried again.
    private func store() async throws {
        guard let waiting = draft.take() else { return }
        do {
            try await room.use { vault in
                switch waiting {
                case .offer(let offer): _ = try vault.store(offer)
                case .grant(let grant): try vault.store(grant)
                }
            }
        } catch {
            draft = consume waiting
            throw error
        }
    }

    func accept(code typed: String) async {
        await act {
            let code = try PairingCode(typed: SecretBytes(utf8: typed))
            let json = try await server.document(at: path("offer", code.lookup))
            guard let json else { throw VaultError.refused(.otherCode) }
            let reply = try await room.use { try $0.accept(PairOffer(parsing: json), code: code, of: couple) }
            try await server.store(Data(reply.bytes), at: path("reply", code.lookup))
        }
    }

    /// One step at a time, and then a look at how far the two are, also after an error: a reply with another code closes the offer.
    func act(_ step: () async throws -> Void) async {
        guard !isBusy else { return }
        (isBusy, notice) = (true, "")
        do {
            try await step()
            screen = try await next()
        } catch {
            notice = words(for: error)
            screen = (try? await next()) ?? screen
        }
        isBusy = false
    }

    /// Does what can be done without the person: the vault tells how far the two are.
    private func next() async throws -> Screen {
        guard draft == nil else { return screen }
        guard let pairing = try await room.use({ try $0.pairings(of: couple).last }) else { return .apart }
        let lookup = pairing.lookup
        switch pairing.status {
        case .open, .granted:
            try await upload(to: path("offer", lookup)) { try $0.pendingOffer(of: couple)?.offer.bytes }
            if let reply = try await server.document(at: path("reply", lookup)) {
                try await upload(to: path("grant", lookup)) { try grant(for: reply, by: $0) }
                return .together(try await day())
            }
            let code = try await room.use { try $0.pendingOffer(of: couple)?.code.text }
            guard let code else { return .apart }
            return .code(InsecureCopy.string(code))
        case .waiting:
            guard let grant = try await server.document(at: path("grant", lookup)) else { return .waiting }
            let opened = try await room.use { try $0.openGrant(PairGrant(parsing: grant), of: couple) }
            let words = InsecureCopy.string(opened.phrase.text)
            draft = .grant(consume opened)
            return .phrase(words)
        case .done: return .together(try await day())
        case .burned, .failed, .expired, .givenUp, .cancelled: return .apart
        }
    }

    /// A couple that only this phone had keeps the phrase that is on paper.
    nonisolated private func grant(for reply: Data, by vault: Vault) throws -> [UInt8] {
        let reply = try PairReply(parsing: reply)
        if let grant = try vault.grant(for: reply, of: couple) { return grant.bytes }
        return try vault.store(vault.draftConfirmation(for: reply, of: couple)).bytes
    }

    /// Uploads what the vault makes, unless the server has it or there is nothing.
    func upload(to path: String, _ make: @Sendable (Vault) throws -> [UInt8]?) async throws {
        guard try await server.document(at: path) == nil, let bytes = try await room.use(make) else { return }
        try await server.store(Data(bytes), at: path)
    }

    private func path(_ name: String, _ code: PairingCode.Lookup) -> String { "pairings/\(code)/\(name)" }
}

/// English, for the sample: an app translates by `id`, as in the article "Errors for people".
nonisolated func words(for error: any Error) -> String {
    switch error {
    case is CancellationError, VaultError.answer(.exists): ""
    case VaultError.refused(.otherCode, _): "Please check the code."
    case VaultError.refused(.codeMismatch, _): "That did not work. Make a new code, and tell it again."
    case let error as any CloserError: "\(error.summary) \(error.remedy ?? "")"
    default: "Please check your connection, and try again."
    }
}
