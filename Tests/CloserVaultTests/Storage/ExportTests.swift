import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

@Suite("A vault in one file, to be moved")
struct ExportTests {
    private let observed: ObservedVault
    private let vaults = MemoryVaults()

    init() throws { observed = try ObservedVault() }

    /// With the least costs, so that many changes can be tried.
    private func quickExport() throws -> [UInt8] {
        try observed.vault.export(locking: .testOnlyQuick("words"))
    }

    private func read(_ bytes: [UInt8], _ passphrase: String = "words") throws -> Transaction {
        try Vault.read(export: bytes, with: .testOnlyQuick(passphrase))
    }

    @discardableResult
    private func create(
        _ export: [UInt8], under passphrase: String = "words", key: UInt8 = 1
    ) throws -> Vault {
        try Vault.create(
            in: vaults.storage("v"), importing: export, unlocking: .passphrase(secret(passphrase)),
            locking: .testOnlyKeyFile(key))
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(testOnly: Array(text.utf8)) }

    /// Kinds and ids, without the boxes.
    private func names(_ transaction: Transaction) -> [RecordName] {
        transaction.index.entries.map(\.name)
    }

    @Test("what has more than 256 MiB is not looked at")
    func tooLarge() {
        for (count, error) in [(256 << 20, VaultError.notAnExport), (256 << 20 | 1, .tooLarge)] {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(throws: error) { _ = try Vault.read(export: bytes, with: .testOnlyKeyFile(1)) }
        }
    }

    @Test(
        "all of it comes back under another key slot, with the next count and an id of its own",
        .proves("W8: an export moves the whole vault to another device"))
    func roundTrip() throws {
        let export = try observed.vault.export(under: secret("words"))
        let made = try create(export, key: 9)
        let opened = try vaults.open("v", key: 9)
        let (ours, theirs) = try observed.vault.read { (ours) throws(VaultError) in
            try opened.read { (theirs) throws(VaultError) in (names(ours), names(theirs)) }
        }
        #expect(ours == theirs && ours.count == 14)
        #expect(try opened.device.publicKey == observed.vault.device.publicKey)
        #expect(try opened.changeCount == observed.vault.changeCount + 1)
        #expect(made.id == opened.id)
        let exported = try read(try quickExport())
        #expect(names(exported) == ours)
        #expect(opened.id != observed.vault.id)
        #expect(throws: VaultError.authenticationFailed) { try vaults.open("v", key: 1) }
        #expect(throws: VaultError.exists(path: "v")) { try create(export, key: 9) }
    }

    @Test("an export shares no byte of a box with the vault, nor with another export")
    func distinct() throws {
        let (first, second) = (try read(quickExport()), try read(quickExport()))
        let ours = try observed.vault.rows()
        let boxes = [first, second].map { $0.index.entries.map { Array($0.box) } }
        #expect(Set(boxes[0]).isDisjoint(with: boxes[1]))
        #expect(!ours.contains { row in boxes[0].contains { row.suffix($0.count).elementsEqual($0) } })
    }

    @Test("another passphrase is refused, and makes no file; one of no bytes is no passphrase")
    func otherPassphrase() throws {
        let export = try quickExport()
        for (text, error) in [("Words", VaultError.authenticationFailed), ("", .passphraseLength)] {
            #expect(throws: error) { try create(export, under: text) }
        }
        #expect(throws: VaultError.passphraseLength) { try observed.vault.export(under: secret("")) }
        #expect(!vaults.isThere("v"))
    }

    @Test("a vault under a key file is no export")
    func keyFile() throws {
        #expect(throws: VaultError.otherProtection) { try read(observed.bytes) }
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
        for text in ["", "closer-keys/vault/3\n", "{}", "closer-keys/export/1\n"] {
            #expect(throws: VaultError.notAnExport) { try read(Array(text.utf8)) }
        }
    }

    /// What derives a key takes its time: of the id, the salt and the sealed key every eighth byte is enough for `make test`.
    @Test("one bit of each byte of the key slot")
    func slot() throws {
        let export = try quickExport()
        let slot = try VaultFile(export, path: "").slot
        let all = VaultFile.mark.count..<VaultFile.mark.count + slot.bytes.count
        let derived = try [slot.vaultID.bytes, slot.salt, slot.box].map {
            try #require(export.firstRange(of: $0))
        }
        let structure = all.filter { byte in !derived.contains { $0.contains(byte) } }
        #expect(all.count == 138 && structure.count == 46)
        var seen: [VaultError] = []
        for byte in structure + Effort.some(of: derived.flatMap(Array.init), everyOther: 8) {
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

    @Test("every bit of the index and a bit of every byte behind it, with the key that the slot gave")
    func index() throws {
        let export = try quickExport()
        let whole = try VaultFile(export, path: "")
        let key = try whole.slot.unlock(with: .testOnlyQuick("words"))
        let start = VaultFile.mark.count + whole.slot.bytes.count + 4
        let boxes = whole.head.endIndex..<export.count
        for bit in Array(8 * start..<8 * whole.head.endIndex) + boxes.map({ 8 * $0 + $0 % 8 }) {
            #expect(throws: VaultError.damaged, "bit \(bit)") {
                try VaultFile(export.flipping(bit: bit), path: "").index(key)
            }
        }
        #expect(try whole.index(key).entries.count == 14)
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

    @Test("nothing is made from an export of which the last byte was changed")
    func damaged() throws {
        let export = try quickExport()
        #expect(throws: VaultError.damaged) { try create(export.flipping(bit: 8 * export.count - 1)) }
        #expect(!vaults.isThere("v"))
    }
}
