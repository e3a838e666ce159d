import CloserKeys
import CloserPrimitives
import CloserTink
import Foundation
import TestSupport
import Testing

@testable import CloserVault

/// A vault that the program of version 0.2.0 wrote (Tests/Former).
@Suite("A vault of version 0.2.0")
struct FormerVaultTests {
    private static let source = TestData.root.appending(path: "Tests/Former/0.2.0")
    private let folder: VaultFolder
    private let vault: Vault
    private let couple: CoupleID
    private let bob: UserID

    init() throws {
        folder = try VaultFolder()
        try folder.write(try Data(contentsOf: Self.source.appending(path: "alice.db")), to: "a")
        let key = [UInt8](try Data(contentsOf: Self.source.appending(path: "alice.key")))
        vault = try Vault(opening: folder.path("a"), unlocking: .key(SecretBytes(testOnly: key)))
        (couple, bob) = (try CoupleID(parsing: "couple_1"), try UserID(parsing: "bob"))
    }

    private func document(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.source.appending(path: "\(name).json")))
    }

    private var isFormer: Bool {
        get throws { try vault.read { (transaction) throws(VaultError) in transaction.directory.isFormer } }
    }

    private func expectAll(at location: SourceLocation = #_sourceLocation) throws {
        let (known, partner) = (try vault.couple(couple), try vault.partners(of: couple)[0])
        let origins = known.key.keyset.entries.map { known.origin(ofKey: $0.id) }
        #expect(Set(origins) == [.invite, .rekey], sourceLocation: location)
        #expect(known.isPrivate && known.epoch == 1 && known.privateSince == 1, sourceLocation: location)
        #expect(try vault.state(of: couple) == .rekeyed, sourceLocation: location)
        #expect(partner.isVerified && partner.verifiedBy == .safetyNumber, sourceLocation: location)
        #expect(partner.userID == bob && partner.x25519Key == nil, sourceLocation: location)
        #expect(try vault.sentRekey(of: couple, to: bob)?.epoch == 1, sourceLocation: location)
        #expect(try vault.answers(of: couple).count == 2, sourceLocation: location)
    }

    private func reveal(_ question: String) throws -> AnswerRevelation {
        let name = AnswerName(couple: couple, question: try QuestionID(parsing: question), place: nil)
        let theirs = PartnerAnswer(of: bob, try AnswerDocument(parsing: document("bob-\(question)")))
        let keybox = try ReleaseKeyDocument(parsing: document("for-alice-\(question)"))
        return try vault.reveal(name, of: theirs, with: keybox)
    }

    @Test("is read as it is, and reading changes nothing")
    func read() throws {
        let before = try folder.bytes("a")
        try expectAll()
        #expect(try isFormer && vault.checked().answerCount == 2)
        #expect(try folder.bytes("a") == before)
    }

    @Test(
        "is written anew with its first change, and says the same; what changes nothing does not rewrite it")
    func rewritten() throws {
        let count = try vault.changeCount
        try vault.set(Policy())
        #expect(try isFormer && vault.changeCount == count)
        try vault.set(Policy(requiresPairing: true))
        #expect(try !isFormer && vault.changeCount == count + 1)
        try expectAll()
        #expect(try vault.checked().answerCount == 2)
    }

    @Test(
        "shows what was pinned before the rekey, and nothing else that the server may have written",
        arguments: [true, false])
    func pins(_ isRewritten: Bool) throws {
        if isRewritten { try vault.set(Policy(requiresPairing: true)) }
        #expect(throws: VaultError.answer(.serverForgeable)) { try reveal("q_2") }
        #expect(try reveal("q_1").authenticity == .serverForgeable)
    }

    @Test("is exported and imported in today's form")
    func exported() throws {
        let export = try vault.export(locking: .testOnlyQuick("correct horse"))
        let copy = try Vault.create(
            at: folder.path("copy"), importing: export,
            under: SecretBytes(testOnly: Array("correct horse".utf8)), locking: .testOnlyKeyFile(9))
        #expect(try !copy.read { (transaction) throws(VaultError) in transaction.directory.isFormer })
        #expect(try copy.state(of: couple) == .rekeyed && copy.couple(couple).epoch == 1)
    }
}
