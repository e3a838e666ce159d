#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

// Argon2id as libsodium computes it: one lane.

extension Argon2id {
    /// One lane and a salt of 16 bytes; anything else is a mistake of the caller. The C function is `crypto_pwhash`.
    package func deriveWithSodium(
        from password: borrowing SecretBytes, salt: Span<UInt8>, count: Int
    ) throws(MemoryShortage) -> SecretBytes {
        precondition(lanes == 1 && salt.count == Self.saltByteCount)
        return try SecretBytes(capacity: count) { (output) throws(MemoryShortage) in
            let isDone = unsafe output.tryAppend(count) { target in
                password.withBytes { password in
                    unsafe password.withPointer { password, passwordCount in
                        unsafe salt.withPointer { salt, _ in
                            unsafe password.withMemoryRebound(to: CChar.self, capacity: passwordCount) {
                                unsafe crypto_pwhash(
                                    target, UInt64(count), $0, UInt64(passwordCount), salt,
                                    UInt64(passes), memoryKiB * 1024, crypto_pwhash_ALG_ARGON2ID13) == 0
                            }
                        }
                    }
                }
            }
            guard isDone else { throw shortage }
        }
    }
}
