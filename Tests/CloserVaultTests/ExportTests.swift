import CloserKeys
import CloserPrimitives
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CloserVault

@Suite("A vault in one file, to be moved")
struct ExportTests {
    private let observed: ObservedVault
    private let folder: VaultFolder
    private let markCount = "closer-keys/export/1\n".utf8.count
    /// Mark, then five fields behind their byte counts: the vault's id, two numbers, the salt, the locked key.
    private var headerCount: Int { markCount + 5 * 4 + 16 + 8 + 8 + 16 + 60 }

    init() throws {
        observed = try ObservedVault()
        folder = try VaultFolder()
    }

    /// With the least costs, so that many changes can be tried.
    private func quickExport() throws -> [UInt8] {
        try VaultExport.write(observed.vault, under: .testOnlyQuick("words"))
    }

    private func read(_ bytes: [UInt8], _ passphrase: String = "words") throws {
        _ = try VaultExport.read(bytes, with: .testOnlyQuick(passphrase))
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(testOnly: Array(text.utf8)) }

    @Test("all of it comes back under another lock, and with the same change counter")
    func roundTrip() throws {
        let export = try observed.vault.export(under: secret("words"))
        let made = try Vault.create(
            at: folder.path("v"), importing: export, under: secret("words"), locking: .testOnlyKeyFile(9))
        #expect(try made.rows() == observed.vault.rows())
        #expect(try observed.vault.rows().count == 7)
        let opened = try folder.open("v", key: 9)
        #expect(try opened.device.publicKey == observed.vault.device.publicKey)
        #expect(try opened.changeCount == observed.vault.changeCount)
        #expect(throws: VaultError.authenticationFailed) { try folder.open("v", key: 1) }
        #expect(throws: VaultError.exists(path: folder.path("v"))) {
            try Vault.create(
                at: folder.path("v"), importing: export, under: secret("words"), locking: .testOnlyKeyFile(9))
        }
    }

    @Test("another passphrase is refused, and makes no file; one of no bytes is no passphrase")
    func otherPassphrase() throws {
        let export = try quickExport()
        for (text, error) in [("Words", VaultError.authenticationFailed), ("", .passphraseLength)] {
            #expect(throws: error) {
                try Vault.create(
                    at: folder.path("v"), importing: export, under: secret(text), locking: .testOnlyKeyFile(1)
                )
            }
        }
        #expect(throws: VaultError.passphraseLength) { try observed.vault.export(under: secret("")) }
        #expect(!FileManager.default.fileExists(atPath: folder.path("v")))
    }

    @Test("every bit of the mark, and every bit of the header's byte counts")
    func structure() throws {
        let export = try quickExport()
        var counts: [Int] = []
        var offset = markCount
        for count in [16, 8, 8, 16, 60] {
            counts += Array(offset..<offset + 4)
            offset += 4 + count
        }
        #expect(offset == headerCount)
        for bit in (Array(0..<markCount) + counts).flatMap({ 8 * $0..<8 * $0 + 8 }) {
            #expect(throws: VaultError.notAnExport, "bit \(bit)") { try read(export.flipping(bit: bit)) }
        }
        try read(export)
    }

    /// The memory's upper bytes and the passes' are out of bounds at once; one bit of each byte of the rest is derived.
    @Test("every byte of what the header holds")
    func header() throws {
        let export = try quickExport()
        let values = markCount + 4..<headerCount
        let (memory, passes) = (
            values.lowerBound + 20..<values.lowerBound + 28, values.lowerBound + 32..<values.lowerBound + 40
        )
        var seen: [VaultError] = []
        for byte in values where !isCount(byte) {
            // Bits that would ask for more memory than a test should take are left out.
            let bit = memory.contains(byte) || passes.contains(byte) ? 7 : byte % 8
            let error = #expect(throws: VaultError.self, "byte \(byte)") {
                try read(export.flipping(bit: 8 * byte + bit))
            }
            seen.append(try #require(error))
        }
        #expect(seen.count { $0 == .authenticationFailed } == 94)
        #expect(seen.count { $0 == .costsRefused } == 14)
    }

    private func isCount(_ byte: Int) -> Bool {
        var offset = markCount
        for count in [16, 8, 8, 16, 60] {
            if (offset..<offset + 4).contains(byte) { return true }
            offset += 4 + count
        }
        return false
    }

    @Test("every truncation within the header, and of the rows")
    func truncations() throws {
        let export = try quickExport()
        for count in 0..<headerCount {
            #expect(throws: VaultError.notAnExport, "\(count) bytes") { try read(Array(export[..<count])) }
        }
        let cuts = stride(from: headerCount + 1, to: export.count, by: 97)
        let errors = cuts.map { count in
            #expect(throws: VaultError.self) { try read(Array(export[..<count])) }
        }
        // At the border of two rows it is an export, and not the one that its key is bound to.
        #expect(errors.allSatisfy { $0 == .notAnExport || $0 == .authenticationFailed })
        #expect(errors.count { $0 == .notAnExport } > 20)
    }

    @Test("rows that are missing, doubled, swapped, changed or added")
    func rows() throws {
        let export = try quickExport()
        let rows = try observed.vault.rows()
        let header = Array(export[..<headerCount])
        #expect(export == header + rows.joined())
        for changed in [
            [], Array(rows.dropLast()), Array(rows.dropFirst()), rows + rows.suffix(1), rows.reversed(),
        ] {
            #expect(throws: VaultError.authenticationFailed) { try read(header + changed.joined()) }
        }
        for bit in stride(from: 8 * (headerCount + 5), to: 8 * export.count, by: 8 * 451 + 1) {
            let error = #expect(throws: VaultError.self) { try read(export.flipping(bit: bit)) }
            #expect([.authenticationFailed, .notAnExport].contains(error), "bit \(bit)")
        }
        for added in [[0], [0, 0, 0, 1], Array("\n".utf8)] as [[UInt8]] {
            #expect(throws: VaultError.notAnExport) { try read(export + added) }
        }
    }

    @Test("what is no export at all")
    func foreign() throws {
        for bytes in [[], Array("closer-keys/export/1\n".utf8), Array("closer-keys/export/2\n".utf8)] {
            #expect(throws: VaultError.notAnExport) { try read(bytes) }
        }
    }

    @Test("a record that was changed in the vault is exported as it is, and does not open after either")
    func damaged() throws {
        let row = try TamperedRow(of: .couple, in: observed.vault)
        try row.with("sealed", try row.bytes("sealed").flipping(bit: 100).blob.databaseValue) {
            let export = try quickExport()
            let made = try VaultExport.read(export, with: .testOnlyQuick("words"))
            #expect(made.rows.count == 7)
        }
    }
}
