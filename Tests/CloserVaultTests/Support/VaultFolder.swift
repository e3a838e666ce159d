import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserVault

/// A folder for each test of files, and vaults in it. It is in memory where the system has such a place, so that no disk has to sync.
final class VaultFolder: Sendable {
    let url: URL

    init() throws {
        let shared = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: shared.path())
        url = (isThere ? shared : FileManager.default.temporaryDirectory).appending(
            path: "closer-vault-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    /// A vault whose key file has 32 bytes that are all the same.
    func make(_ name: String, for user: String = "alice", key: UInt8 = 1) throws -> Vault {
        try Vault.create(at: path(name), for: UserID(parsing: user), locking: .testOnlyKeyFile(key))
    }

    func open(_ name: String, key: UInt8 = 1) throws(VaultError) -> Vault {
        try Vault(opening: path(name), unlocking: .testOnlyKeyFile(key))
    }

    /// A file's bytes.
    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appending(path: name)))
    }

    func write(_ bytes: some Collection<UInt8>, to name: String) throws {
        try Data(bytes).write(to: url.appending(path: name))
    }

    /// All names in the folder.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted()
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension Credential {
    static func testOnlyKeyFile(_ byte: UInt8, count: Int = 32) -> Credential {
        .key(SecretBytes(testOnly: [UInt8](repeating: byte, count: count)))
    }

    static func testOnlyPassphrase(_ text: String) -> Credential {
        .passphrase(SecretBytes(testOnly: Array(text.utf8)))
    }

    /// With the least costs that are accepted, for tests that derive often.
    static func testOnlyQuick(_ text: String) -> Credential {
        Credential(
            protection: .passphrase(memoryKiB: 64 * 1024, passes: 1),
            secret: SecretBytes(testOnly: Array(text.utf8)))
    }
}

extension Vault {
    /// The counter, and each record as it lies there, with its name.
    func rows() throws -> [[UInt8]] {
        let index = try read { (transaction) throws(VaultError) in transaction.index }
        return [[UInt8](bigEndian: index.changeCount)]
            + index.entries.map { Array("\($0.name.kind)".utf8) + $0.name.id.bytes + $0.box }
    }

    /// Takes the golden couple key without deriving anything; `keyset` in its place.
    func plant(_ couple: CoupleID, keyset: Keyset? = nil, rekeyed: Set<UInt32> = []) throws {
        var planted = Couple(couple, try CoupleKey(try keyset ?? Golden.keyset()), Golden.wrap)
        planted.origins = Dictionary(uniqueKeysWithValues: rekeyed.map { ($0, .rekey) })
        if !rekeyed.isEmpty { (planted.epoch, planted.privateSince) = (1, 1) }
        try change { (transaction) throws(VaultError) in
            transaction.put(planted)
            try transaction.raisePin(of: couple, to: .strict)
        }
    }
}

/// Expects exactly this error, and that nothing was changed.
func refuses(
    _ error: VaultError, _ vault: Vault, at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws {
    let before = try vault.rows()
    #expect(throws: error, sourceLocation: location, performing: body)
    #expect(try vault.rows() == before, "something was changed", sourceLocation: location)
}

func refuses(
    _ error: AnswerError, _ vault: Vault, at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws { try refuses(VaultError.answer(error), vault, at: location, body) }

func refuses(
    _ error: CoupleError, _ vault: Vault, at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws { try refuses(VaultError.couple(error), vault, at: location, body) }

/// What other implementations made.
enum Golden {
    private static let values = TestData.golden

    static func keyset() throws -> Keyset {
        let secret = SecretBytes(testOnly: values.hex("coupleKeyset.binaryHex"))
        return try InsecureCleartextKeyset.read(binary: secret, .strict)
    }

    static var wrap: KeyWrap {
        KeyWrap(
            wrappedCoupleKey: values.text("wrap.document.wrappedCoupleKey"),
            kdfSalt: values.text("wrap.document.kdfSalt"), kdfParams: values.text("wrap.document.kdfParams"))
    }

    static func phrase() throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(testOnly: Array(values.text("wrap.phrase").utf8)))
    }
}
