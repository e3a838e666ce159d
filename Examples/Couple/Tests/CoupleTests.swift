import CloserKeys
import CloserVault
import Foundation
import Testing

@testable import Sample

@Suite("The sample app: two phones and a server in one process")
struct CoupleTests {
    nonisolated private final class Kept: @unchecked Sendable { var keys = Data() }

    @Test("two people pair, a note opens in app and extension, answers are seen", arguments: [false, true])
    func whole(losingFirst: Bool) async throws {
        let (server, kept) = (MemoryServer(losingFirst: losingFirst), Kept())
        let (alice, bob) = (try phone("alice", server), try phone("bob", server, kept))
        // A step may be repeated, and has to be where its upload is lost. Then both apps refresh.
        func step(_ step: @escaping () async -> Void) async {
            for run in [step, step, alice.refresh, bob.refresh, alice.refresh, bob.refresh] { await run() }
        }
        await alice.invite()
        let phrase = alice.screen
        await step { await alice.written() }
        // An app that was ended goes on where its vault is.
        let again = try CoupleModel(alice.room, of: alice.user, server) { _ in }
        await again.refresh()
        let code = try code(on: again)
        await step { await bob.accept(code: code) }
        #expect(bob.screen == phrase)
        await step { await bob.written() }
        await step { await alice.write(note: "dinner?") }
        await step { await alice.answer("tea") }
        #expect(alice.screen == .together(Day(note: "", state: .sealed, answer: "")))
        #expect(bob.screen == .together(Day(note: "dinner?", state: .unanswered, answer: "")))
        await step { await bob.answer("coffee") }
        #expect(alice.screen == .together(Day(note: "", state: .revealed, answer: "coffee")))
        #expect(bob.screen == .together(Day(note: "dinner?", state: .revealed, answer: "tea")))
        #expect(alice.notice + bob.notice == "")
        let (path, other) = (alice.notePath(alice.user), alice.notePath(bob.user))
        let pushed = try #require(await server.document(at: path))
        #expect(notificationText(of: pushed, at: path, keys: kept.keys) == "dinner?")
        #expect(notificationText(of: pushed, at: other, keys: kept.keys) == "A new note")
    }

    @Test("a code that was misheard ends the offer, and another one pairs") func misheard() async throws {
        let server = MemoryServer()
        let (alice, bob) = (try phone("alice", server), try phone("bob", server))
        await alice.invite()
        await alice.written()
        let told = try code(on: alice)
        await bob.accept(code: "000000-000000")
        #expect(bob.screen == .apart && bob.notice == "Please check the code.")
        await bob.accept(code: told.dropLast() + (told.hasSuffix("0") ? "1" : "0"))
        await alice.refresh()
        #expect(alice.screen == .apart && alice.notice.hasPrefix("That did not work."))
        await alice.invite()
        await bob.accept(code: try code(on: alice))
        await alice.refresh()
        #expect(alice.screen == .together(Day(note: "", state: .unanswered, answer: "")))
    }

    private func phone(_ name: String, _ server: MemoryServer, _ kept: Kept = Kept()) throws -> CoupleModel {
        let user = try UserID(parsing: name)
        return try CoupleModel(VaultActor(Vault.inMemory(for: user)), of: user, server) { kept.keys = $0 }
    }

    private func code(on phone: CoupleModel) throws -> String {
        guard case .code(let code) = phone.screen else { throw VaultError.refused(.otherCode) }
        return code
    }
}
