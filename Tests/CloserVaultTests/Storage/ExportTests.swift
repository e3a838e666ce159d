import CloserKeys
import CloserPrimitives
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserVault

@Suite("A vault in one file, to be moved")
struct ExportTests {
    private let observed: ObservedVault
    private let folder: VaultFolder

    init() throws {
        observed = try ObservedVault()
        folder = try VaultFolder()
    }

    /// With the least costs, so that many changes can be tried.
    private func quickExport() throws -> [UInt8] {
        try observed.vault.export(locking: .testOnlyQuick("words"))
    }

    private func read(_ bytes: [UInt8], _ passphrase: String = "words") throws -> Transaction {
        try Vault.read(export: bytes, with: .testOnlyQuick(passphrase))
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(testOnly: Array(text.utf8)) }

    /// Kinds and ids, without the boxes.
    private func names(_ transaction: Transaction) -> [RecordName] {
        transaction.directory.entries.map(\.name)
    }

    @Test("what has more than 256 MiB is not looked at")
    func tooLarge() {
        for (count, error) in [(256 << 20, VaultError.notAnExport), (256 << 20 | 1, .tooLarge)] {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(throws: error) { _ = try Vault.read(export: bytes, with: .testOnlyKeyFile(1)) }
        }
    }

    @Test("all of it comes back under another lock, with the same change counter and an id of its own")
    func roundTrip() throws {
        let export = try observed.vault.export(under: secret("words"))
        let made = try Vault.create(
            at: folder.path("v"), importing: export, under: secret("words"), locking: .testOnlyKeyFile(9))
        let opened = try folder.open("v", key: 9)
        let (ours, theirs) = try observed.vault.read { (ours) throws(VaultError) in
            try opened.read { (theirs) throws(VaultError) in (names(ours), names(theirs)) }
        }
        #expect(ours == theirs && ours.count == 11)
        #expect(try opened.device.publicKey == observed.vault.device.publicKey)
        #expect(try opened.changeCount == observed.vault.changeCount + 1)
        #expect(made.id == opened.id)
        let exported = try read(try quickExport())
        #expect(names(exported) == ours)
        #expect(opened.id != observed.vault.id)
        #expect(throws: VaultError.authenticationFailed) { try folder.open("v", key: 1) }
        #expect(throws: VaultError.exists(path: folder.path("v"))) {
            try Vault.create(
                at: folder.path("v"), importing: export, under: secret("words"), locking: .testOnlyKeyFile(9))
        }
    }

    @Test("an export shares no byte of a box with the vault, nor with another export")
    func distinct() throws {
        let (first, second) = (try read(quickExport()), try read(quickExport()))
        let ours = try observed.vault.rows()
        let boxes = [first, second].map { $0.directory.entries.map { Array($0.box) } }
        #expect(Set(boxes[0]).isDisjoint(with: boxes[1]))
        #expect(!ours.contains { row in boxes[0].contains { row.suffix($0.count).elementsEqual($0) } })
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
        #expect(try folder.names().isEmpty)
    }

    @Test("a vault under a key file is no export")
    func keyFile() throws {
        let vault = try observed.folder.bytes(observed.file)
        #expect(throws: VaultError.otherProtection) { try read(vault) }
    }

    @Test("every bit of the mark, and what is no export at all")
    func foreign() throws {
        let export = try quickExport()
        for bit in 0..<8 * VaultFile.mark.count {
            let isNumber = bit / 8 >= VaultFile.mark.count - 2
            #expect(throws: isNumber ? VaultError.unsupportedVersion : .notAnExport, "bit \(bit)") {
                try read(export.flipping(bit: bit))
            }
        }
        for bytes in [[], Array("closer-keys/vault/2\n".utf8), Array("{}".utf8)] {
            #expect(throws: VaultError.notAnExport) { try read(bytes) }
        }
        #expect(throws: VaultError.formerFormat) { try read(Array("closer-keys/export/1\n".utf8)) }
    }

    /// The costs are the least, and one bit each of the passes' lower byte and of the memory's upper ones asks for others
    /// within the bounds, which take their time.
    @Test("one bit of each byte of the lock")
    func lock() throws {
        let export = try quickExport()
        let lock = try VaultFile(export, path: "").lock.bytes
        var seen: [VaultError] = []
        for byte in VaultFile.mark.count..<VaultFile.mark.count + lock.count {
            let error = #expect(throws: VaultError.self, "byte \(byte)") {
                try read(export.flipping(bit: 8 * byte + 7))
            }
            seen.append(try #require(error))
        }
        let expected: [VaultError] = [
            .notAnExport, .authenticationFailed, .costsRefused, .unsupportedVersion,
        ]
        #expect(seen.allSatisfy(expected.contains) && expected.allSatisfy(seen.contains))
    }

    @Test("every bit of the directory, with the key that the lock gave")
    func directory() throws {
        let export = try quickExport()
        let whole = try VaultFile(export, path: "")
        let key = try whole.lock.unlock(with: .testOnlyQuick("words"))
        let start = VaultFile.mark.count + whole.lock.bytes.count + 4
        for bit in 8 * start..<8 * whole.head.endIndex {
            #expect(throws: VaultError.damaged, "bit \(bit)") {
                try VaultFile(export.flipping(bit: bit), path: "").directory(key)
            }
        }
        #expect(try whole.directory(key).entries.count == 11)
    }

    @Test("every truncation, and an extension")
    func lengths() throws {
        let export = try quickExport()
        let head = try VaultFile(export, path: "").head.endIndex
        for count in VaultFile.mark.count..<head {
            #expect(throws: VaultError.notAnExport, "\(count) bytes") { try read(Array(export[..<count])) }
        }
        for count in stride(from: head, to: export.count, by: 197) {
            #expect(throws: VaultError.damaged, "\(count) bytes") { try read(Array(export[..<count])) }
        }
        #expect(throws: VaultError.damaged) { try read(export + [0]) }
    }

    @Test("a record that is damaged stops an export, and an import")
    func damaged() throws {
        let export = try quickExport()
        let last = export.flipping(bit: 8 * export.count - 1)
        #expect(throws: VaultError.damaged) {
            try Vault.create(
                at: folder.path("v"), importing: last, under: secret("words"), locking: .testOnlyKeyFile(1))
        }
        #expect(try folder.names().isEmpty)
        let vault = try observed.folder.bytes(observed.file)
        try observed.folder.write(vault.flipping(bit: 8 * vault.count - 1), to: observed.file)
        let opened = try observed.folder.open(observed.file)
        #expect(throws: VaultError.damaged) { try opened.export(locking: .testOnlyQuick("words")) }
    }
}
