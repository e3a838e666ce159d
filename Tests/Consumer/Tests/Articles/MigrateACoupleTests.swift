import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: MigrateACouple
/// A couple whose texts are in the clear on the server, on one phone.
nonisolated struct Migrating: Sendable {
    let vault: Vault
    let couple: CoupleID

    /// Makes the couple's key. The phrase is for paper, and the document for the server. Nil if the key is there.
    func begin() throws -> (phrase: String, document: Data)? {
        guard let draft = try vault.draftMigration(of: couple) else { return nil }
        try vault.store(draft)
        return (InsecureCopy.string(draft.phrase.text), Data(draft.couple.document.bytes))
    }

    /// A text as the server has it becomes a token for its place. A token comes back as it is.
    func seal(_ text: String, at place: String) throws -> String {
        let reader = try vault.fieldReader(of: couple)
        return try reader.migrated(text.utf8, place: FieldPlace(parsing: place)).description
    }

    /// What the app shows of a text, and whether the server could have written it.
    func show(_ text: String, at place: String) throws -> (text: String, isPlaintext: Bool) {
        switch try vault.fieldReader(of: couple).read(text.utf8, place: FieldPlace(parsing: place)) {
        case .sealed(let plaintext, _): return (String(decoding: plaintext, as: UTF8.self), false)
        case .plaintext(let plaintext): return (String(decoding: plaintext, as: UTF8.self), true)
        }
    }

    /// Says that all texts of this user are sealed. `stored` is the server's document, with `userIds`; the server merges what comes out.
    func finish(_ stored: Data) throws -> Data {
        let document = try CoupleDocument(parsing: stored)
        return Data(try vault.finishMigration(of: couple, in: document).bytes)
    }
}
// doc: end

@Suite("The article Migrate a couple")
struct MigrateACoupleTests {
    private let place = "couples/couple_1/notes/n_1"

    /// The server's document once it has merged what a phone sent.
    private func merged(_ sent: Data) throws -> Data {
        var members = try #require(try JSONSerialization.jsonObject(with: sent) as? [String: Any])
        members["userIds"] = ["alice", "bob"]
        return try JSONSerialization.data(withJSONObject: members)
    }

    @Test("a couple begins at version 1, pairs, seals, and is at 2 once both have finished") func way() throws
    {
        let couple = try CoupleID(parsing: "couple_1")
        let phones = try ["alice", "bob"].map {
            Migrating(vault: try Vault.inMemory(for: UserID(parsing: $0)), couple: couple)
        }
        let (alice, bob) = (phones[0], phones[1])
        let begun = try #require(try alice.begin())
        #expect(try alice.begin() == nil && begun.phrase.split(separator: " ").count == 10)

        let offer = try alice.vault.draftOffer(of: couple, beginningAt: .migrating)
        try alice.vault.store(offer)
        let reply = try bob.vault.accept(offer.offer, code: offer.code, of: couple)
        let grant = try alice.vault.store(alice.vault.draftConfirmation(for: reply, of: couple))
        try bob.vault.store(bob.vault.openGrant(grant, of: couple))

        let token = try alice.seal("by the sea", at: place)
        #expect(try alice.seal(token, at: place) == token)
        #expect(try bob.show(token, at: place) == ("by the sea", false))
        #expect(try bob.show("dinner?", at: place) == ("dinner?", true))

        let first = try merged(try alice.finish(try merged(begun.document)))
        #expect(try bob.vault.encryptionVersion(of: couple) == .migrating)
        let last = try merged(try bob.finish(first))
        #expect(try CoupleDocument(parsing: last).version == .strict)
        #expect(throws: FieldError.plaintext) { try bob.show("dinner?", at: place) }
        #expect(try bob.show(token, at: place).text == "by the sea")
    }
}
