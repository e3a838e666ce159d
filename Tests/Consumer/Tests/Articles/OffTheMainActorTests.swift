import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Observation
import Testing

// doc: OffTheMainActor
/// What a screen binds to.
@MainActor final class InviteScreen {
    private let room: VaultActor
    private let couple: CoupleID
    private(set) var message = ""

    init(_ room: VaultActor, joining couple: CoupleID) { (self.room, self.couple) = (room, couple) }

    func join(invite: Data, code: String) async {
        message = "Opening the invite…"
        do {
            let (room, couple) = (room, couple)
            try await room.use { vault in
                let document = try InviteDocument(parsing: SecretBytes(copying: invite))
                let typed = try InviteCode(typed: SecretBytes(utf8: code))
                try vault.join(couple, with: document, code: typed, beginningAt: .strict)
            }
            message = "Welcome."
        } catch {
            message = advice(for: error)
        }
    }
}
// doc: end

// doc: OffTheMainActor
/// A screen that shows a code and a phrase, and stores the offer when the person has written them down.
@Observable @MainActor final class OfferModel {
    private(set) var code = ""
    private(set) var phrase = ""
    @ObservationIgnored private var draft: OfferDraft?

    func begin(_ couple: CoupleID, in room: VaultActor) async throws {
        let draft = try await room.use { vault in try vault.draftOffer(of: couple, beginningAt: .strict) }
        code = InsecureCopy.string(draft.code.text)
        if let text = draft.phraseText { phrase = InsecureCopy.string(text) }
        self.draft = consume draft
    }

    /// Gives the offer for the server.
    func store(in room: VaultActor) async throws -> PairOffer? {
        guard let draft = draft.take() else { return nil }
        do {
            let offer = try await room.use { vault in
                let open = try vault.store(draft)
                return open.offer
            }
            (code, phrase) = ("", "")
            return offer
        } catch {
            // The phrase is on paper: the same draft is tried again.
            self.draft = consume draft
            throw error
        }
    }
}
// doc: end

@Suite("The article: Off the main actor")
struct OffTheMainActorTests {
    private let folder: TemporaryFolder
    private let android: AndroidPartner
    private let room: VaultActor

    init() throws {
        folder = try TemporaryFolder()
        android = try AndroidPartner(in: folder)
        room = try VaultActor(Phone("bob", in: folder).vault)
    }

    @Test("a screen joins, and what blocks is not on the main thread") @MainActor func screen() async throws {
        let screen = InviteScreen(room, joining: android.couple.id)
        await screen.join(invite: android.invite, code: "wrong")
        #expect(screen.message == "A code has six letters and digits.")
        await screen.join(invite: android.invite, code: android.code)
        #expect(screen.message == "Welcome.")
        #expect(try await room.use { _ in Thread.isMainThread } == false)
        #expect(try await room.use { try $0.coupleIDs } == [android.couple.id])
    }

    @Test("a draft waits on a screen until it is stored") @MainActor func draft() async throws {
        let (model, couple) = (OfferModel(), try CoupleID(parsing: "couple_9"))
        try await model.begin(couple, in: room)
        #expect(model.phrase.split(separator: " ").count == 10)
        #expect(model.code.count >= 12)
        let offer = try #require(try await model.store(in: room))
        #expect(offer.couple == couple && model.code.isEmpty)
        #expect(try await model.store(in: room) == nil)
        #expect(try await room.use { try $0.pendingOffer(of: couple)?.offer } == offer)
    }
}
