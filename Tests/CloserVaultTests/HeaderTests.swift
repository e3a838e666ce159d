import CloserKeys
import CloserPrimitives
import GRDB
import TestSupport
import Testing

@testable import CloserVault

@Suite("The clear header of a vault, changed by somebody")
struct HeaderTests {
    private let vault: Vault
    private let folder: VaultFolder

    init() throws {
        folder = try VaultFolder()
        vault = try folder.make("v").inMemory()
    }

    private func header() throws -> LockedKey {
        try #require(try vault.database.read { try LockedKey.read(from: $0) })
    }

    private func expectOpens(_ unlocking: borrowing Unlocking) throws {
        let key = try header().unlock(with: unlocking)
        #expect(key.tag([[1]]) == vault.key.tag([[1]]))
    }

    private func set(_ column: String, _ value: DatabaseValue) throws {
        try vault.database.write { database in
            try database.execute(sql: "UPDATE header SET \(column) = ?", arguments: [value])
        }
    }

    /// Changes a column for as long as `body` runs.
    private func with(_ column: String, _ value: DatabaseValue, _ body: () throws -> Void) throws {
        let before = try #require(
            try vault.database.read { try Row.fetchOne($0, sql: "SELECT \(column) AS value FROM header") })
        try set(column, value)
        try body()
        try set(column, try #require(before["value"] as DatabaseValue?))
    }

    @Test("every bit of the locked key and of the vault's id", arguments: [("box", 60), ("vaultID", 16)])
    func bits(_ column: String, _ byteCount: Int) throws {
        let bytes = column == "box" ? try header().box : try header().vaultID
        #expect(bytes.count == byteCount)
        for bit in 0..<8 * byteCount {
            try with(column, bytes.flipping(bit: bit).blob.databaseValue) {
                #expect(throws: VaultError.authenticationFailed, "bit \(bit)") {
                    try header().unlock(with: .testOnlyKeyFile(1))
                }
            }
        }
        try expectOpens(.testOnlyKeyFile(1))
    }

    @Test("every truncation and an extension of the locked key and of the vault's id")
    func lengths() throws {
        for (column, bytes) in [("box", try header().box), ("vaultID", try header().vaultID)] {
            for changed in bytes.indices.map({ Array(bytes[..<$0]) }) + [bytes + [0]] {
                try with(column, changed.blob.databaseValue) {
                    #expect(throws: VaultError.authenticationFailed, "\(column), \(changed.count) bytes") {
                        try header().unlock(with: .testOnlyKeyFile(1))
                    }
                }
            }
        }
    }

    @Test("with a key file, the salt means nothing")
    func unusedSalt() throws {
        for bit in 0..<128 {
            try with("salt", try header().salt.flipping(bit: bit).blob.databaseValue) {
                try expectOpens(.testOnlyKeyFile(1))
            }
        }
    }

    @Test("with a passphrase, one bit of each byte of the salt")
    func salt() throws {
        try vault.lock(with: .testOnlyQuick("words"))
        let salt = try header().salt
        for byte in salt.indices {
            try with("salt", salt.flipping(bit: 8 * byte + byte % 8).blob.databaseValue) {
                #expect(throws: VaultError.authenticationFailed, "byte \(byte)") {
                    try header().unlock(with: .testOnlyQuick("words"))
                }
            }
        }
        for changed in [Array(salt.dropLast()), salt + [0], []] {
            try with("salt", changed.blob.databaseValue) {
                #expect(throws: VaultError.costsRefused) {
                    try header().unlock(with: .testOnlyQuick("words"))
                }
            }
        }
        try expectOpens(.testOnlyQuick("words"))
    }

    @Test(
        "costs outside the bounds are refused: those of 8 EiB could not be tried",
        arguments: [
            (65_535, 3), (1_048_577, 3), (262_144, 0), (262_144, 11), (0, 3), (-1, 3), (262_144, -3),
            (Int64.max, 3), (Int64.min, 3), (262_144, Int64.max), (1 << 32 | 262_144, 3),
        ] as [(Int64, Int64)])
    func costs(_ memoryKiB: Int64, _ passes: Int64) throws {
        try vault.lock(with: .testOnlyQuick("words"))
        try set("memoryKiB", memoryKiB.databaseValue)
        try set("passes", passes.databaseValue)
        #expect(throws: VaultError.costsRefused) { try header().unlock(with: .testOnlyQuick("words")) }
    }

    @Test("other costs within the bounds do not open: the header's are authenticated")
    func otherCosts() throws {
        try vault.lock(with: .testOnlyQuick("words"))
        for (column, value) in [("memoryKiB", 65_537), ("passes", 2)] {
            try with(column, value.databaseValue) {
                #expect(throws: VaultError.authenticationFailed, "\(column)") {
                    try header().unlock(with: .testOnlyQuick("words"))
                }
            }
        }
    }

    @Test("a header that names no costs, or another protection")
    func downgrade() throws {
        try with("keyFile", .null) {
            #expect(throws: VaultError.otherProtection) { try header().unlock(with: .testOnlyKeyFile(1)) }
            #expect(throws: VaultError.costsRefused) { try header().unlock(with: .testOnlyQuick("words")) }
        }
        try vault.lock(with: .testOnlyQuick("words"))
        try with("keyFile", "/key".databaseValue) {
            #expect(throws: VaultError.otherProtection) {
                try header().unlock(with: .testOnlyQuick("words"))
            }
            #expect(throws: VaultError.authenticationFailed) {
                try header().unlock(with: .testOnlyKeyFile(1))
            }
        }
    }

    @Test(
        "a column of another type is damaged, and stops nothing",
        arguments: [
            ("keyFile", "x'ff'"), ("memoryKiB", "'words'"), ("memoryKiB", "0.5"), ("passes", "x'01'"),
            ("salt", "'words'"), ("box", "5"), ("vaultID", "'0123456789abcdef'"),
        ])
    func types(_ column: String, _ value: String) throws {
        try vault.lock(with: .testOnlyQuick("words"))
        try vault.database.write { try $0.execute(sql: "UPDATE header SET \(column) = \(value)") }
        #expect(throws: VaultError.damaged) { try header() }
    }
}
