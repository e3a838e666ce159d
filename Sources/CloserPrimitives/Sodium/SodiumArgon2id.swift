internal import CCloserSodium

// Argon2id as libsodium computes it: one lane.

extension Argon2id {
    /// One lane and a salt of 16 bytes; anything else is a mistake of the caller. The C function is `crypto_pwhash`.
    package func deriveWithSodium(
        from password: borrowing SecretBytes, salt: Span<UInt8>, count: Int
    ) -> SecretBytes {
        precondition(lanes == 1 && salt.count == Self.saltByteCount)
        return SecretBytes(capacity: count) { output in
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
            precondition(isDone, "no memory left for Argon2id: \(memoryKiB) KiB")
        }
    }
}
