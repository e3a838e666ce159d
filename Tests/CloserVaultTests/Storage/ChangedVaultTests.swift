import CloserKeys
import TestSupport
import Testing

@testable import CloserVault

/// A vault with one record of every kind, under a key file, of which an attacker changed a part.
@Suite("Any changed byte of a vault is refused")
struct ChangedVaultTests {
    private let observed: ObservedVault
    private let bytes: [UInt8]
    /// Where its parts are: the mark, the key slot, and the sealed index with the boxes behind it.
    private let mark: Range<Int>
    private let slot: Range<Int>
    private let head: Range<Int>

    init() throws {
        observed = try ObservedVault()
        bytes = try observed.bytes
        let file = try VaultFile(bytes, path: "a")
        mark = 0..<VaultFile.mark.count
        slot = mark.upperBound..<mark.upperBound + file.slot.bytes.count
        head = 0..<file.head.endIndex
    }

    /// Why a vault of these bytes does not open with the right key file; nil if it opens.
    private func opening(_ changed: [UInt8]) -> VaultError? {
        observed.write(changed)
        do throws(VaultError) {
            _ = try observed.open()
            return nil
        } catch { return error }
    }

    /// Why the vault that is open reads nothing from these bytes; nil if it reads.
    private func reading(_ changed: [UInt8]) -> VaultError? {
        observed.write(changed)
        do throws(VaultError) {
            _ = try observed.vault.couples
            return nil
        } catch { return error }
    }

    /// One bit of every byte, another one in each.
    private var changes: [(byte: Int, bytes: [UInt8])] {
        bytes.indices.map { ($0, bytes.flipping(bit: 8 * $0 + ($0 + $0 / 8) % 8)) }
    }

    @Test(
        "a bit of every byte: the vault does not open",
        .proves(
            "V1: without its key a vault shows its id, its protection and its size, and a changed vault does not open"
        ))
    func opened() {
        var refused = 0
        for (byte, changed) in changes {
            let error = opening(changed)
            let isExpected =
                switch error {
                case .notAVault(path: "a"): mark.contains(byte)
                case .unsupportedVersion: byte < slot.upperBound
                case .authenticationFailed, .otherProtection, .costsRefused: slot.contains(byte)
                case .damaged: byte >= slot.lowerBound
                default: false
                }
            #expect(isExpected, "byte \(byte): \(error as VaultError?)")
            if error != nil { refused += 1 }
        }
        #expect(refused == bytes.count && refused > 3_000)
        #expect(opening(bytes) == nil)
    }

    @Test(
        "a bit of every byte while the vault is open: the next read is refused, and no read after the byte is back"
    )
    func read() {
        var refused = 0
        for (byte, changed) in changes {
            let error = reading(changed)
            let isExpected =
                switch error {
                case .notAVault(path: "a"): mark.contains(byte)
                case .unsupportedVersion: byte < slot.upperBound
                case .replaced(path: "a"), .authenticationFailed: slot.contains(byte)
                case .damaged: byte >= slot.lowerBound
                default: false
                }
            #expect(isExpected, "byte \(byte): \(error as VaultError?)")
            if error != nil { refused += 1 }
        }
        #expect(refused == bytes.count)
        #expect(reading(bytes) == nil)
    }

    @Test("a change of such a vault is refused, and leaves its bytes as they are")
    func changed() throws {
        let couple = try CoupleID(parsing: "another")
        var refused = 0
        for (byte, changed) in changes where byte % 41 == 0 {
            observed.write(changed)
            #expect(throws: VaultError.self, "byte \(byte)") { try observed.vault.plant(couple) }
            #expect(try observed.bytes == changed, "byte \(byte)")
            refused += 1
        }
        #expect(refused > 75)
        observed.write(bytes)
        try observed.vault.plant(couple)
        #expect(try observed.bytes != bytes)
    }

    @Test("every bit of the mark: the file is no vault, or one of another version")
    func markBits() {
        for bit in 0..<8 * mark.upperBound {
            let isNumber = bit / 8 >= mark.upperBound - 2
            let expected = isNumber ? VaultError.unsupportedVersion : .notAVault(path: "a")
            #expect(opening(bytes.flipping(bit: bit)) == expected, "bit \(bit)")
        }
    }

    @Test(
        "every bit of the key slot and of the index",
        .proves(
            "V1: without its key a vault shows its id, its protection and its size, and a changed vault does not open"
        ))
    func headBits() throws {
        var seen: [VaultError] = []
        for bit in 8 * slot.lowerBound..<8 * head.upperBound {
            seen.append(try #require(opening(bytes.flipping(bit: bit)), "bit \(bit)"))
        }
        #expect(seen.allSatisfy { [.damaged, .authenticationFailed, .unsupportedVersion].contains($0) })
        // The vault's id and the sealed key are authenticated; the rest of the slot is structure, or names the protection.
        #expect(seen.count { $0 == .authenticationFailed } == 8 * (Vault.ID.byteCount + 60))
        // The protection's name, and its byte count made none.
        #expect(seen.count { $0 == .unsupportedVersion } == 8 * "key-file".utf8.count + 1)
    }

    @Test("every truncation, and a byte more at either end")
    func lengths() {
        for count in bytes.indices {
            let expected: VaultError =
                if count >= mark.upperBound {
                    .damaged
                } else if count >= mark.upperBound - 2 {
                    .unsupportedVersion
                } else {
                    .notAVault(path: "a")
                }
            #expect(opening(Array(bytes[..<count])) == expected, "\(count) bytes")
        }
        #expect(opening(bytes + [0]) == .damaged)
        #expect(opening([0] + bytes) == .notAVault(path: "a"))
        #expect(opening(bytes) == nil)
    }
}
