import CloserKeys
import CloserPrimitives
import CloserTink
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CloserVault

/// A folder of its own for each test, and vaults in it.
final class VaultFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "closer-vault-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    /// A vault whose key file has 32 bytes that are all the same.
    func make(_ name: String, for user: String = "alice", key: UInt8 = 1) throws -> Vault {
        try Vault.create(at: path(name), for: Identifier(parsing: user), locking: .testOnlyKeyFile(key))
    }

    func open(_ name: String, key: UInt8 = 1) throws -> Vault {
        try Vault(opening: path(name)) { _ in .testOnlyKeyFile(key) }
    }

    /// Changes a vault's file behind its back.
    func alter(_ name: String, _ sql: String, _ arguments: StatementArguments = []) throws {
        let database = try DatabaseQueue(path: path(name))
        try database.write { try $0.execute(sql: sql, arguments: arguments) }
        try database.close()
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension Unlocking {
    static func testOnlyKeyFile(_ byte: UInt8, count: Int = 32) -> Unlocking {
        .keyFile(path: "/key", content: SecretBytes(testOnly: [UInt8](repeating: byte, count: count)))
    }

    static func testOnlyPassphrase(_ text: String) -> Unlocking {
        .passphrase(SecretBytes(testOnly: Array(text.utf8)))
    }

    /// With the least costs that are accepted, for tests that derive often.
    static func testOnlyQuick(_ text: String) -> Unlocking {
        let cost = PassphraseCost(memoryKiB: PassphraseCost.accepted.memoryKiB.lowerBound, passes: 1)
        return Unlocking(protection: .passphrase(cost), secret: SecretBytes(testOnly: Array(text.utf8)))
    }
}

extension Vault {
    /// The same vault in memory, where a test may change thousands of rows.
    func inMemory() throws -> Vault {
        let memory = try DatabaseQueue()
        try database.backup(to: memory)
        return Vault(path: ":memory:", database: memory, key: key)
    }

    /// All rows as they lie there.
    func rows() throws -> [[UInt8]] {
        try database.read { try SealedRow.all(in: $0).map(\.bytes) }
    }

    /// Takes the golden couple key without deriving anything; `keyset` in its place.
    func plant(_ couple: Identifier, keyset: Keyset? = nil, rekeyed: Set<UInt32> = []) throws {
        var planted = Couple(couple, try CoupleKey(try keyset ?? Golden.keyset()), Golden.wrap)
        planted.rekeyedIDs = rekeyed
        try change { transaction in
            try transaction.put(planted)
            try transaction.raisePin(of: couple, to: .strict)
        }
    }
}

/// Expects exactly this error, and that no row was changed.
func refuses<Failure: Error & Equatable>(
    _ error: Failure, _ vault: Vault, at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws {
    let before = try vault.rows()
    #expect(throws: error, sourceLocation: location, performing: body)
    #expect(try vault.rows() == before, "something was changed", sourceLocation: location)
}

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
        try RecoveryPhrase(entered: SecretBytes(testOnly: Array(values.text("wrap.phrase").utf8)))
    }
}
