public import CloserPrimitives
internal import CloserWire

/// What a vault's key is locked with: a file of 32 random bytes, or a passphrase.
public enum Protection: Equatable, Sendable {
    /// Where the file was when the vault was made or last locked: an absolute path.
    case keyFile(path: String)
    case passphrase(PassphraseCost)
}

/// The costs of Argon2id for a passphrase: one lane, version 19, 32 bytes out (security §7).
public struct PassphraseCost: Equatable, Sendable {
    public let memoryKiB: Int
    public let passes: Int

    /// 256 MiB, three passes: some 0.6 s.
    public static let standard = PassphraseCost(memoryKiB: 262_144, passes: 3)

    /// What a vault's header may ask for: 64 MiB to 1 GiB and one to ten passes. Whoever can write the file could
    /// otherwise make it cheap to guess, or stop the device.
    static let accepted = (memoryKiB: 64 * 1024...1024 * 1024, passes: 1...10)

    /// The costs are checked before anything is allocated.
    fileprivate func stretch(
        _ passphrase: borrowing SecretBytes, _ salt: [UInt8]
    ) throws(VaultError) -> SecretBytes {
        guard (1...1024).contains(passphrase.count) else { throw .passphraseLength }
        guard Self.accepted.memoryKiB.contains(memoryKiB), Self.accepted.passes.contains(passes),
            salt.count == Argon2id.saltByteCount,
            let argon2id = try? Argon2id(memoryKiB: memoryKiB, passes: passes, lanes: 1)
        else { throw .costsRefused }
        return argon2id.derive(from: passphrase, salt: salt.span)
    }
}

/// A protection with its secret: what locks a vault, or unlocks it.
public struct Unlocking: ~Copyable, Sendable {
    let protection: Protection
    let secret: SecretBytes

    /// The 32 bytes of a key file, and its absolute path.
    public static func keyFile(path: String, content: consuming SecretBytes) -> Unlocking {
        Unlocking(protection: .keyFile(path: path), secret: content)
    }

    /// A passphrase as it was typed, 1 to 1024 bytes.
    public static func passphrase(_ text: consuming SecretBytes) -> Unlocking {
        Unlocking(protection: .passphrase(.standard), secret: text)
    }
}

/// The clear part of a vault, or of an export: which vault it is, how its key is locked, and the locked key.
struct LockedKey: Equatable, Sendable {
    let vaultID: [UInt8]
    let protection: Protection
    /// Argon2id's, 16 bytes; unused with a key file.
    let salt: [UInt8]
    /// `iv(12) ‖ ciphertext(32) ‖ tag(16)`.
    let box: [UInt8]
}

extension LockedKey {
    /// Locks `key`. `binding` is authenticated with it.
    init(
        _ key: VaultKey, with unlocking: borrowing Unlocking, binding: [UInt8] = []
    ) throws(VaultError) {
        salt = Randomness.system.bytes(Argon2id.saltByteCount)
        vaultID = key.vaultID
        protection = unlocking.protection
        let cipher = try Self.cipher(unlocking, protection, salt, vaultID)
        let data = Self.associatedData(protection, salt, vaultID, binding)
        box = key.withSecret { secret in
            [UInt8](capacity: secret.count + AESGCM.nonceByteCount + AESGCM.tagByteCount) {
                cipher.seal(secret, nonceFrom: .system, authenticating: data.span, into: &$0)
            }
        }
    }

    /// Unlocks it; `.authenticationFailed` for another key file or passphrase.
    func unlock(with unlocking: borrowing Unlocking, binding: [UInt8] = []) throws(VaultError) -> VaultKey {
        let cipher = try Self.cipher(unlocking, protection, salt, vaultID)
        let data = Self.associatedData(protection, salt, vaultID, binding)
        guard let secret = SecretBytes(opening: box.span, with: cipher, authenticating: data.span) else {
            throw .authenticationFailed
        }
        guard secret.count == 32 else { throw .damaged }
        return VaultKey(secret, vaultID: vaultID)
    }

    private static func cipher(
        _ unlocking: borrowing Unlocking, _ protection: Protection, _ salt: [UInt8], _ vaultID: [UInt8]
    ) throws(VaultError) -> AESGCM {
        switch (protection, unlocking.protection) {
        case (.keyFile, .keyFile):
            guard unlocking.secret.count == 32 else { throw .keyFileMalformed }
            return AESGCM(key: VaultKey.derive("lock", from: unlocking.secret, vaultID))
        case (.passphrase(let cost), .passphrase):
            let stretched = try cost.stretch(unlocking.secret, salt)
            return AESGCM(key: VaultKey.derive("lock", from: stretched, vaultID))
        default: throw .otherProtection
        }
    }

    /// The path of a key file is not in it: files move.
    private static func associatedData(
        _ protection: Protection, _ salt: [UInt8], _ vaultID: [UInt8], _ binding: [UInt8]
    ) -> [UInt8] {
        let how: [UInt8] =
            switch protection {
            case .keyFile: Array("key-file".utf8)
            case .passphrase(let cost):
                [UInt8](lengthPrefixed: [
                    Array("passphrase".utf8), [UInt8](bigEndian: UInt64(cost.memoryKiB)),
                    [UInt8](bigEndian: UInt64(cost.passes)), salt,
                ])
            }
        return [UInt8](lengthPrefixed: [VaultKey.domain, vaultID, Array("key".utf8), how, binding])
    }
}

extension Array where Element == UInt8 {
    /// Eight bytes, big-endian.
    init(bigEndian value: UInt64) {
        self = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
    }
}
