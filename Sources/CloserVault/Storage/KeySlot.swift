public import CloserPrimitives
internal import CloserWire

/// What protects a vault's key: a file of 32 random bytes, or a passphrase.
public enum Protection: Equatable, Sendable {
    /// The vault does not say where the file is: an attacker who can write the vault could then choose the key.
    case key
    /// The key is stretched from a passphrase by Argon2id (RFC 9106), with this memory of one try, passed over so often.
    case passphrase(memoryKiB: Int, passes: Int)

    /// What a new passphrase costs: 256 MiB, three passes, some 0.6 s.
    static let standardPassphrase = Protection.passphrase(memoryKiB: 262_144, passes: 3)
}

/// What stretches a passphrase: one lane, version 19, 32 bytes out (RFC 9106).
extension Protection {
    /// What a key slot may ask for: 64 MiB to 1 GiB and one to ten passes. An attacker who can write the file could otherwise make the
    /// passphrase cheap to guess, or stop the device.
    private static let accepted = (memoryKiB: 64 * 1024...1024 * 1024, passes: 1...10)

    /// The costs are checked before anything is allocated.
    fileprivate func stretch(
        _ passphrase: borrowing SecretBytes, _ salt: [UInt8]
    ) throws(VaultError) -> SecretBytes {
        guard case .passphrase(let memoryKiB, let passes) = self else { throw .otherProtection }
        guard (1...1024).contains(passphrase.count) else { throw .passphraseLength }
        guard Self.accepted.memoryKiB.contains(memoryKiB), Self.accepted.passes.contains(passes),
            salt.count == Argon2id.saltByteCount,
            let argon2id = try? Argon2id(memoryKiB: memoryKiB, passes: passes, lanes: 1)
        else { throw .costsRefused }
        do { return try argon2id.derive(from: passphrase, salt: salt.span) } catch {
            throw .outOfMemory(error)
        }
    }
}

/// A protection with its secret: what opens a key slot, or fills one.
public struct Credential: ~Copyable, Sendable {
    /// Nil for the key of a key slot, which only opens.
    let protection: Protection?
    let secret: SecretBytes

    /// The 32 bytes of a key file, or a key that the caller keeps elsewhere.
    public static func key(_ content: consuming SecretBytes) -> Credential {
        Credential(protection: .key, secret: content)
    }

    /// A passphrase as it was typed, 1 to 1024 bytes.
    public static func passphrase(_ text: consuming SecretBytes) -> Credential {
        Credential(protection: .standardPassphrase, secret: text)
    }

    /// What ``LockedVault/slotKey(from:)`` made of a passphrase. It opens this one key slot.
    package static func slotKey(_ key: consuming SecretBytes) -> Credential {
        Credential(protection: nil, secret: key)
    }

    package static let slotKeyByteCount = VaultKey.byteCount
    package static let keyFileByteCount = 32
}

extension LockedVault {
    /// The key of the key slot, which is as good as the passphrase until the slot is filled again, and needs no Argon2id: 32 bytes.
    ///
    /// - Throws: ``VaultError``: `.otherProtection`, `.passphraseLength`, `.costsRefused`, `.outOfMemory`.
    package func slotKey(from passphrase: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        try content.slot.key(from: passphrase)
    }

    package func opens(with unlocking: borrowing Credential) -> Bool {
        (try? content.slot.unlock(with: unlocking)) != nil
    }
}

/// The clear part of a vault: which one it is, what protects its key, and the sealed key.
///
/// `LP(vault id, protection, box)`. The protection is `LP("key-file")`, or `LP("passphrase", memory in KiB, passes, salt)` with
/// numbers of four bytes; the box is `iv(12) ‖ ciphertext(32) ‖ tag(16)` (closer-keys-formats(7), PRIVATE FORMATS).
struct KeySlot: Equatable, Sendable {
    let vaultID: Vault.ID
    let protection: Protection
    /// Argon2id's, 16 bytes; empty with a key file.
    let salt: [UInt8]
    let box: [UInt8]

    init(_ key: VaultKey, with unlocking: borrowing Credential) throws(VaultError) {
        guard let protection = unlocking.protection else { throw .otherProtection }
        (vaultID, self.protection) = (key.vaultID, protection)
        salt = protection == .key ? [] : Randomness.system.bytes(Argon2id.saltByteCount)
        let cipher = try Self.cipher(unlocking, protection, salt, vaultID)
        let data = Self.associatedData(vaultID, protection, salt)
        box = key.withSecret { cipher.sealCombined($0, authenticating: data.span) }
    }

    /// Unlocks the key; `.authenticationFailed` for another key file or passphrase.
    func unlock(with unlocking: borrowing Credential) throws(VaultError) -> VaultKey {
        let cipher = try Self.cipher(unlocking, protection, salt, vaultID)
        let data = Self.associatedData(vaultID, protection, salt)
        let secret: SecretBytes
        do { secret = try cipher.openCombined(box.span, authenticating: data.span) } catch {
            throw .authenticationFailed
        }
        return VaultKey(secret, of: vaultID)
    }

    private static func cipher(
        _ unlocking: borrowing Credential, _ protection: Protection, _ salt: [UInt8], _ vaultID: Vault.ID
    ) throws(VaultError) -> AESGCM {
        switch (protection, unlocking.protection) {
        case (.key, .key):
            guard unlocking.secret.count == Credential.keyFileByteCount else { throw .keyMalformed }
            return AESGCM(key: VaultKey.derive("lock", from: unlocking.secret, vaultID))
        case (.passphrase, .passphrase):
            let stretched = try protection.stretch(unlocking.secret, salt)
            return AESGCM(key: VaultKey.derive("lock", from: stretched, vaultID))
        case (.passphrase, nil): return AESGCM(key: unlocking.secret)
        default: throw .otherProtection
        }
    }

    fileprivate func key(from passphrase: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        VaultKey.derive("lock", from: try protection.stretch(passphrase, salt), vaultID)
    }

    private static func associatedData(
        _ vaultID: Vault.ID, _ protection: Protection, _ salt: [UInt8]
    ) -> [UInt8] {
        [UInt8](lengthPrefixed: [
            VaultKey.domain, Array("lock".utf8), vaultID.bytes, protection.bytes(salt: salt),
        ])
    }
}

// MARK: - Bytes

extension KeySlot {
    var bytes: [UInt8] {
        [UInt8](lengthPrefixed: [vaultID.bytes, protection.bytes(salt: salt), box])
    }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        guard let id = Vault.ID(try fields.bytes(in: bytes)) else { throw .damaged }
        let protection = try fields.bytes(in: bytes)
        (self.protection, salt) = try Protection.read(protection.span)
        (vaultID, box) = (id, try fields.bytes(in: bytes))
        guard box.count == VaultKey.byteCount + AESGCM.overheadByteCount else { throw .damaged }
    }
}

extension Protection {
    private static let keyFileName = "key-file"
    private static let passphraseName = "passphrase"

    fileprivate func bytes(salt: [UInt8]) -> [UInt8] {
        switch self {
        case .key: [UInt8](lengthPrefixed: [Array(Self.keyFileName.utf8)])
        case .passphrase(let memoryKiB, let passes):
            [UInt8](lengthPrefixed: [
                Array(Self.passphraseName.utf8), [UInt8](bigEndian: UInt32(clamping: memoryKiB)),
                [UInt8](bigEndian: UInt32(clamping: passes)), salt,
            ])
        }
    }

    /// The protection and its salt. Costs out of bounds are read as they are, and refused before anything is derived.
    fileprivate static func read(
        _ bytes: Span<UInt8>
    ) throws(VaultError) -> (protection: Protection, salt: [UInt8]) {
        var fields = RecordFields(count: bytes.count)
        let name = try fields.bytes(in: bytes)
        guard name.elementsEqual(passphraseName.utf8) else {
            guard name.elementsEqual(keyFileName.utf8) else { throw .unsupportedVersion }
            try fields.finish()
            return (.key, [])
        }
        let (memoryKiB, passes) = (try fields.uint32(in: bytes), try fields.uint32(in: bytes))
        let salt = try fields.bytes(in: bytes)
        guard salt.count == Argon2id.saltByteCount else { throw .damaged }
        try fields.finish()
        return (
            .passphrase(memoryKiB: Int(clamping: memoryKiB), passes: Int(clamping: passes)),
            salt
        )
    }
}
