import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: OffTheMainActor
/// The only place of the app that holds the vault: every call that blocks is made here.
actor VaultRoom {
    private let vault: Vault

    init(_ vault: Vault) { self.vault = vault }

    func use<Result: Sendable>(_ body: @Sendable (Vault) throws -> Result) rethrows -> Result {
        try body(vault)
    }
}
// doc: end

// doc: OffTheMainActor
/// What a screen binds to.
@MainActor final class InviteScreen {
    private let room: VaultRoom
    private let couple: CoupleID
    private(set) var message = ""

    init(_ room: VaultRoom, joining couple: CoupleID) { (self.room, self.couple) = (room, couple) }

    func join(invite: Data, code: String) async {
        message = "Opening the invite…"
        do {
            let (room, couple) = (room, couple)
            try await room.use { vault in
                let document = try InviteDocument(parsing: SecretBytes(copying: invite.span))
                let typed = try InviteCode(typed: SecretBytes(copying: Data(code.utf8).span))
                try vault.join(couple, with: document, code: typed)
            }
            message = "Welcome."
        } catch {
            message = advice(for: error)
        }
    }
}
// doc: end

@Suite("The article: Off the main actor")
struct VaultRoomTests {
    private let folder: TemporaryFolder
    private let android: AndroidPartner
    private let room: VaultRoom

    init() throws {
        folder = try TemporaryFolder()
        android = try AndroidPartner(in: folder)
        room = VaultRoom(try Phone("bob", in: folder).vault)
    }

    @Test("a screen joins, and what blocks is not on the main thread") func screen() async throws {
        let screen = await InviteScreen(room, joining: android.couple.id)
        await screen.join(invite: android.invite, code: "wrong")
        #expect(await screen.message == "A code has six letters and digits.")
        await screen.join(invite: android.invite, code: android.code)
        #expect(await screen.message == "Welcome.")
        #expect(await room.use { _ in Thread.isMainThread } == false)
        #expect(try await room.use { try $0.coupleIDs } == [android.couple.id])
    }
}
