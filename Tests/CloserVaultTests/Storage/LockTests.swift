import CloserKeys
import CloserPrimitives
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserVault

@Suite("What stands before the records in a vault's file, changed by somebody")
struct LockTests {
    private let folder: VaultFolder
    private let bytes: [UInt8]
    private let head: VaultFile

    init() throws {
        folder = try VaultFolder()
        try folder.make("v").plant(CoupleID(parsing: "couple_1"))
        bytes = try folder.bytes("v")
        head = try VaultFile(bytes, path: "v")
    }

    private func open(_ changed: [UInt8]) throws -> VaultError? {
        try folder.write(changed, to: "v")
        do {
            _ = try folder.open("v")
            return nil
        } catch { return error }
    }

    @Test("whoever read the lock before another process changed it must open the new one, too")
    func changedMeanwhile() throws {
        let locked = try LockedVault(at: folder.path("v"))
        try folder.open("v").lock(with: .testOnlyKeyFile(1))
        #expect(throws: Never.self) { try locked.unlock(with: .testOnlyKeyFile(1)) }
        try folder.open("v").lock(with: .testOnlyKeyFile(2))
        #expect(throws: VaultError.authenticationFailed) { try locked.unlock(with: .testOnlyKeyFile(1)) }
    }

    @Test("what another process locked it with meanwhile opens it, too")
    func lockedMeanwhile() throws {
        let locked = try LockedVault(at: folder.path("v"))
        try folder.open("v").lock(with: .testOnlyKeyFile(2))
        #expect(try locked.unlock(with: .testOnlyKeyFile(2)).couples.count == 1)
        #expect(throws: VaultError.authenticationFailed) { try locked.unlock(with: .testOnlyKeyFile(3)) }
        // Not if it is another vault.
        _ = try folder.make("w", key: 3)
        try folder.write(folder.bytes("w"), to: "v")
        #expect(throws: VaultError.authenticationFailed) { try locked.unlock(with: .testOnlyKeyFile(3)) }
    }

    @Test("what was opened is neither read nor changed under a lock that was not")
    func changedAfterwards() throws {
        let vault = try folder.open("v")
        try folder.open("v").lock(with: .testOnlyKeyFile(2))
        let refusal = VaultError.lockedAnew(path: folder.path("v"))
        #expect(throws: refusal) { _ = try vault.couples }
        #expect(throws: refusal) { _ = try vault.export(locking: .testOnlyQuick("correct horse")) }
        #expect(throws: refusal) { try vault.plant(try CoupleID(parsing: "couple_1")) }
        #expect(throws: refusal) { try vault.lock(with: .testOnlyKeyFile(3)) }
        #expect(throws: Never.self) { try folder.open("v", key: 2).lock(with: .testOnlyKeyFile(2)) }
    }

    @Test("every bit of the mark: no vault, or one of another version")
    func mark() throws {
        let path = folder.path("v")
        for bit in 0..<8 * VaultFile.mark.count {
            let isNumber = bit / 8 >= VaultFile.mark.count - 2
            let expected = isNumber ? VaultError.unsupportedVersion : .notAVault(path: path)
            #expect(try open(bytes.flipping(bit: bit)) == expected, "bit \(bit)")
        }
        #expect(try open(bytes) == nil)
    }

    @Test("every bit of the lock and of the directory")
    func bits() throws {
        var seen: [VaultError] = []
        for bit in 8 * VaultFile.mark.count..<8 * head.head.endIndex {
            seen.append(try #require(try open(bytes.flipping(bit: bit)), "bit \(bit)"))
        }
        for error in [VaultError.damaged, .authenticationFailed, .unsupportedVersion] {
            #expect(seen.contains(error))
        }
        #expect(seen.allSatisfy { [.damaged, .authenticationFailed, .unsupportedVersion].contains($0) })
        // The vault's id and the locked key are under its seal; the rest of the lock is structure, or names the protection.
        #expect(seen.count { $0 == .authenticationFailed } == 8 * (VaultID.byteCount + 60))
        // The protection's name, and its byte count made none.
        #expect(seen.count { $0 == .unsupportedVersion } == 8 * "key-file".utf8.count + 1)
    }

    @Test("every truncation, and an extension by one byte")
    func lengths() throws {
        for count in 0..<bytes.count {
            let error = try #require(try open(Array(bytes[..<count])), "\(count) bytes")
            let isMarked = count >= VaultFile.mark.count
            let isPartOfMark = count >= VaultFile.mark.count - 2
            let expected: VaultError =
                isMarked ? .damaged : isPartOfMark ? .unsupportedVersion : .notAVault(path: folder.path("v"))
            #expect(error == expected, "\(count) bytes")
        }
        #expect(try open(bytes + [0]) == .damaged)
        #expect(try open([0] + bytes) == .notAVault(path: folder.path("v")))
    }

    // MARK: - Passphrases

    /// A lock with a passphrase, its parts chosen.
    private func lock(
        _ memoryKiB: UInt32, _ passes: UInt32, salt: [UInt8]? = nil, of vault: Vault
    ) throws -> [UInt8] {
        let real = try LockedVault(at: vault.path).content.lock
        let protection = [UInt8](lengthPrefixed: [
            Array("passphrase".utf8), [UInt8](bigEndian: memoryKiB), [UInt8](bigEndian: passes),
            salt ?? real.salt,
        ])
        return [UInt8](lengthPrefixed: [real.vaultID.bytes, protection, real.box])
    }

    private func unlock(_ lock: [UInt8], _ passphrase: String = "words") throws {
        var fields = RecordFields(count: lock.count)
        _ = try VaultLock(&fields, in: lock.span).unlock(with: .testOnlyQuick(passphrase))
        try fields.finish()
    }

    private func passphraseVault() throws -> Vault {
        let vault = try folder.make("w")
        try vault.lock(with: .testOnlyQuick("words"))
        return vault
    }

    @Test("a new lock asks for 256 MiB and three passes: closer-keys-formats(7), Vault file")
    func standard() {
        #expect(PassphraseCost.standard == PassphraseCost(memoryKiB: 256 * 1024, passes: 3))
    }

    @Test("one bit of each byte of the salt, and a salt of another length")
    func salt() throws {
        let vault = try passphraseVault()
        let salt = try LockedVault(at: vault.path).content.lock.salt
        for byte in salt.indices {
            let changed = salt.flipping(bit: 8 * byte + byte % 8)
            #expect(throws: VaultError.authenticationFailed, "byte \(byte)") {
                try unlock(lock(65_536, 1, salt: changed, of: vault))
            }
        }
        for changed in [Array(salt.dropLast()), salt + [0], []] {
            #expect(throws: VaultError.damaged) { try unlock(lock(65_536, 1, salt: changed, of: vault)) }
        }
        try unlock(lock(65_536, 1, of: vault))
        #expect(throws: VaultError.authenticationFailed) { try unlock(lock(65_536, 1, of: vault), "Words") }
    }

    @Test(
        "costs outside the bounds are refused: those of 4 TiB could not be tried",
        arguments: [
            (65_535, 3), (1_048_577, 3), (262_144, 0), (262_144, 11), (0, 3), (.max, 3), (262_144, .max),
        ] as [(UInt32, UInt32)])
    func costs(_ memoryKiB: UInt32, _ passes: UInt32) throws {
        let vault = try passphraseVault()
        #expect(throws: VaultError.costsRefused) { try unlock(lock(memoryKiB, passes, of: vault)) }
    }

    @Test("other costs within the bounds do not open: the lock's are authenticated")
    func otherCosts() throws {
        let vault = try passphraseVault()
        for (memoryKiB, passes) in [(65_537, 1), (65_536, 2)] as [(UInt32, UInt32)] {
            #expect(throws: VaultError.authenticationFailed) {
                try unlock(lock(memoryKiB, passes, of: vault))
            }
        }
    }

    @Test("the two protections in each other's place")
    func exchanged() throws {
        let vault = try passphraseVault()
        let real = try LockedVault(at: vault.path).content.lock
        let keyFile = [UInt8](lengthPrefixed: [
            real.vaultID.bytes, [UInt8](lengthPrefixed: [Array("key-file".utf8)]), real.box,
        ])
        #expect(throws: VaultError.otherProtection) { try unlock(keyFile) }
        var fields = RecordFields(count: keyFile.count)
        let exchanged = try VaultLock(&fields, in: keyFile.span)
        #expect(throws: VaultError.authenticationFailed) {
            try exchanged.unlock(with: .testOnlyKeyFile(1))
        }
        #expect(throws: VaultError.otherProtection) { try folder.open("w") }
    }

    @Test("a vault id of another length, a protection with something left over, or one that nobody knows")
    func malformed() throws {
        let real = try LockedVault(at: folder.path("v")).content.lock
        let keyFile = Array("key-file".utf8)
        let protection = [UInt8](lengthPrefixed: [keyFile])
        let locks: [([[UInt8]], VaultError)] = [
            ([real.vaultID.bytes + [0], protection, real.box], .damaged),
            ([[UInt8](repeating: 1, count: 32 * 1024), protection, real.box], .damaged),
            ([[], protection, real.box], .damaged),
            ([real.vaultID.bytes, [UInt8](lengthPrefixed: [keyFile, []]), real.box], .damaged),
            ([real.vaultID.bytes, [], real.box], .damaged),
            ([real.vaultID.bytes, protection, []], .damaged),
            ([real.vaultID.bytes, protection, Array(real.box.dropLast())], .damaged),
            ([real.vaultID.bytes, protection, real.box + [0]], .damaged),
            ([real.vaultID.bytes, protection, [UInt8](repeating: 0, count: 1 << 20)], .damaged),
            ([real.vaultID.bytes, [UInt8](lengthPrefixed: [Array("passphrase".utf8)]), real.box], .damaged),
            (
                [
                    real.vaultID.bytes,
                    [UInt8](lengthPrefixed: [
                        Array("passphrase".utf8), [1, 0, 0], [0, 0, 0, 3], [UInt8](repeating: 1, count: 16),
                    ]), real.box,
                ], .damaged
            ),
            (
                [real.vaultID.bytes, [UInt8](lengthPrefixed: [Array("token".utf8)]), real.box],
                .unsupportedVersion
            ),
        ]
        for (parts, error) in locks {
            let file = VaultFile.mark + [UInt8](lengthPrefixed: parts) + bytes[bytes.indices.suffix(100)]
            try folder.write(file, to: "v")
            #expect(throws: error) { try LockedVault(at: folder.path("v")) }
        }
    }

    @Test(
        "whether its key is still there is asked, too, if somebody exchanged the file as soon as it had the new lock"
    )
    func overtaken() throws {
        let overtaken = VaultError.diverged(path: "v")
        let witness = VaultWitness(known: { () throws(VaultError) in nil }) { (_, _) throws(VaultError) in
            throw overtaken
        }
        let locked = try LockedVault(at: folder.path("v"))
        let vault = try locked.unlock(with: .testOnlyKeyFile(1), witness: witness)
        #expect(try vault.lock(with: .testOnlyKeyFile(2), unless: { "lost" }) == .stuck("lost", overtaken))
        let again = try LockedVault(at: folder.path("v")).unlock(with: .testOnlyKeyFile(2), witness: witness)
        #expect(throws: overtaken) {
            try again.lock(with: .testOnlyKeyFile(3), unless: { () -> Never? in nil })
        }
        // What was not stored is no matter of its key.
        let open = try folder.open("v", key: 3)
        try FileManager.default.removeItem(at: folder.url.appending(path: "v"))
        #expect(throws: VaultError.self) { try open.lock(with: .testOnlyKeyFile(4), unless: { "lost" }) }
    }
}
