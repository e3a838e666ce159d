import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

@Suite("What a thief reads in a vault")
struct ClearTextTests {
    private let vaults: MemoryVaults
    private let vault: Vault
    /// What must not be seen, by name.
    private let secrets: [String: [UInt8]]

    init() throws {
        vaults = MemoryVaults()
        let names = (
            couple: "cpl-adriatic", question: "qst-marmalade", user: "usr-octavia", partner: "usr-basil"
        )
        let (couple, question) = (
            try CoupleID(parsing: names.couple), try QuestionID(parsing: names.question)
        )
        let place = try AnswerPlace(parsing: "thread:thr-gazebo")
        vault = try vaults.make("v", for: names.user)
        let draft = try vault.draftCouple(of: couple, beginningAt: .strict)
        try vault.store(draft)
        let bob = try vaults.make("w", for: names.partner, key: 2)
        try bob.plant(couple)
        let answer = try vault.seal(
            answer: "{\"answer\":\"umbrella\"}".utf8, to: question, at: place, of: couple)
        let theirs = try bob.seal(
            answer: "{\"answer\":\"zeppelin\"}".utf8, to: question, at: place, of: couple)
        _ = try vault.release(
            AnswerName(couple: couple, question: question, place: place),
            to: PartnerAnswer(of: UserID(parsing: names.partner), theirs.document),
            key: bob.device.publicKey)
        let device = try vault.device
        let sealed = try #require(answer.sealed)
        var secrets: [String: [UInt8]] = [
            "phrase": draft.phrase.text.testOnlyBytes(),
            "invite": try vault.invite(of: couple).testOnlyBytes(),
            "couple key": InsecureCleartextKeyset.binary(draft.couple.key.keyset).testOnlyBytes(),
            "one-time key": InsecureCleartextKeyset.binary(sealed.oneTimeKey).testOnlyBytes(),
            "identity": InsecureCleartextKeyset.binary(device.identity).testOnlyBytes(),
            "X25519 scalar": device.x25519.withScalar { [UInt8](copying: $0) },
            "vault key": try vault.current().key.withSecret { [UInt8](copying: $0) },
            "key file": [UInt8](repeating: 1, count: 32), "answer": Array("umbrella".utf8),
            "token": sealed.token.text, "partner's key": try bob.device.publicKey.text,
            "commitment": answer.commitment.text, "place": Array("thr-gazebo".utf8),
        ]
        for name in [names.couple, names.question, names.user, names.partner] {
            secrets[name] = Array(name.utf8)
        }
        self.secrets = secrets
    }

    /// The secrets of which eight bytes in a row are in `content`.
    private func found(in content: [UInt8]) -> Set<String> {
        let windows = Set(content.indices.dropLast(7).map { Array(content[$0..<$0 + 8]) })
        return Set(
            secrets.filter { _, secret in
                secret.indices.dropLast(7).contains { windows.contains(Array(secret[$0..<$0 + 8])) }
            }.keys)
    }

    @Test(
        "none of it is in a vault, or in an export",
        .proves(
            "V1: without its key a vault shows its id, its protection and its size, and a changed vault does not open"
        ))
    func scan() throws {
        #expect(secrets.count == 17)
        #expect(secrets.values.allSatisfy { $0.count >= 8 })
        #expect(try vaults.bytes("v").count > 2_000)
        for name in ["v", "w"] { #expect(found(in: try vaults.bytes(name)) == [], "\(name)") }
        #expect(found(in: try vault.export(under: SecretBytes(testOnly: Array("words".utf8)))) == [])
    }

    @Test("each of them is found when it is there")
    func planted() throws {
        let bytes = try vaults.bytes("v")
        for (name, secret) in secrets {
            #expect(found(in: bytes + secret + bytes) == Set([name]).union(found(in: secret)), "\(name)")
        }
    }

    @Test("a record that was replaced or deleted is gone from the vault at once")
    func deleted() throws {
        let couple = try CoupleID(parsing: "cpl-adriatic")
        let entries = try vault.read { (transaction) throws(VaultError) in transaction.index.entries }
        let before = try vaults.bytes("v")
        for entry in entries { #expect(before.firstRange(of: entry.box) != nil) }
        try vault.forget(couple)
        let after = try vaults.bytes("v")
        let kept: Set<RecordKind> = [.device, .versionPin]
        for entry in entries {
            #expect((after.firstRange(of: entry.box) != nil) == kept.contains(entry.name.kind))
        }
    }
}
