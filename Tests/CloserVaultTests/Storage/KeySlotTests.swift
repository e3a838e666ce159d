import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

@Suite("What protects a vault's key")
struct KeySlotTests {
    private let vaults = MemoryVaults()

    @Test("a vault that is open stays open under another key slot, and its changes keep that slot")
    func lockedMeanwhile() throws {
        let vault = try vaults.make("v")
        try vaults.open("v").changeCredential(to: .testOnlyKeyFile(2))
        #expect(try vault.couples.isEmpty)
        try vault.plant(CoupleID(parsing: "couple_1"))
        #expect(try vaults.open("v", key: 2).couples.count == 1)
        #expect(throws: VaultError.authenticationFailed) { try vaults.open("v") }
    }

    private func slot(of vault: Vault) throws -> KeySlot { try vaults.locked(vault.name).content.slot }

    /// The bytes of a slot with a passphrase, its parts chosen.
    private func slot(
        _ memoryKiB: UInt32, _ passes: UInt32, salt: [UInt8]? = nil, of vault: Vault
    ) throws -> [UInt8] {
        let real = try slot(of: vault)
        let protection = [UInt8](lengthPrefixed: [
            Array("passphrase".utf8), [UInt8](bigEndian: memoryKiB), [UInt8](bigEndian: passes),
            salt ?? real.salt,
        ])
        return [UInt8](lengthPrefixed: [real.vaultID.bytes, protection, real.box])
    }

    private func unlock(_ slot: [UInt8], _ passphrase: String = "words") throws {
        var fields = RecordFields(count: slot.count)
        _ = try KeySlot(&fields, in: slot.span).unlock(with: .testOnlyQuick(passphrase))
        try fields.finish()
    }

    private func passphraseVault() throws -> Vault {
        let vault = try vaults.make("w")
        try vault.changeCredential(to: .testOnlyQuick("words"))
        return vault
    }

    @Test("a new key slot asks for 256 MiB and three passes: closer-keys-formats(7), Vault file")
    func standard() {
        #expect(Protection.standardPassphrase == .passphrase(memoryKiB: 256 * 1024, passes: 3))
    }

    @Test("one bit of each byte of the salt, and a salt of another length")
    func salt() throws {
        let vault = try passphraseVault()
        let salt = try slot(of: vault).salt
        for byte in salt.indices {
            let changed = salt.flipping(bit: 8 * byte + byte % 8)
            #expect(throws: VaultError.authenticationFailed, "byte \(byte)") {
                try unlock(slot(65_536, 1, salt: changed, of: vault))
            }
        }
        for changed in [Array(salt.dropLast()), salt + [0], []] {
            #expect(throws: VaultError.damaged) { try unlock(slot(65_536, 1, salt: changed, of: vault)) }
        }
        try unlock(slot(65_536, 1, of: vault))
        #expect(throws: VaultError.authenticationFailed) { try unlock(slot(65_536, 1, of: vault), "Words") }
    }

    @Test(
        "costs outside the bounds are refused: those of 4 TiB could not be tried",
        .proves("Each guess at a passphrase costs an Argon2id, and no change of the file makes it cheaper"),
        arguments: [
            (65_535, 3), (1_048_577, 3), (262_144, 0), (262_144, 11), (0, 3), (.max, 3), (262_144, .max),
        ] as [(UInt32, UInt32)])
    func costs(_ memoryKiB: UInt32, _ passes: UInt32) throws {
        let vault = try passphraseVault()
        #expect(throws: VaultError.costsRefused) { try unlock(slot(memoryKiB, passes, of: vault)) }
    }

    @Test(
        "other costs within the bounds do not open: the slot's are authenticated",
        .proves("Each guess at a passphrase costs an Argon2id, and no change of the file makes it cheaper"))
    func otherCosts() throws {
        let vault = try passphraseVault()
        for (memoryKiB, passes) in [(65_537, 1), (65_536, 2)] as [(UInt32, UInt32)] {
            #expect(throws: VaultError.authenticationFailed) {
                try unlock(slot(memoryKiB, passes, of: vault))
            }
        }
    }

    @Test("a slot of one protection does not open with the other's secret, though it names that")
    func exchanged() throws {
        let vault = try passphraseVault()
        let real = try slot(of: vault)
        let keyFile = [UInt8](lengthPrefixed: [
            real.vaultID.bytes, [UInt8](lengthPrefixed: [Array("key-file".utf8)]), real.box,
        ])
        #expect(throws: VaultError.otherProtection) { try unlock(keyFile) }
        var fields = RecordFields(count: keyFile.count)
        let exchanged = try KeySlot(&fields, in: keyFile.span)
        #expect(throws: VaultError.authenticationFailed) {
            try exchanged.unlock(with: .testOnlyKeyFile(1))
        }
        #expect(throws: VaultError.otherProtection) { try vaults.open("w") }
    }

    @Test("a vault id of another length, a protection with something left over, or an unknown one is refused")
    func malformed() throws {
        let real = try slot(of: vaults.make("v"))
        let keyFile = Array("key-file".utf8)
        let protection = [UInt8](lengthPrefixed: [keyFile])
        let slots: [([[UInt8]], VaultError)] = [
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
        for (parts, error) in slots {
            let file = VaultFile.mark + [UInt8](lengthPrefixed: parts) + [UInt8](repeating: 0, count: 100)
            vaults.write(file, to: "v")
            #expect(throws: error) { try vaults.locked("v") }
        }
    }
}
