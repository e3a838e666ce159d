internal import CCloserArgon2
internal import CCloserSodium

/// Argon2id version 1.3 (RFC 9106): a key from a phrase, made slow on purpose.
///
/// libsodium computes one lane, at more than twice the speed of the reference; libargon2 computes the rest.
package struct Argon2id: Equatable, Sendable {
    /// A salt that is not 16 bytes goes to libargon2, which takes 8 and more.
    package static let saltByteCount = 16

    /// Memory in KiB, at least 8 a lane.
    package let memoryKiB: Int
    /// Passes over the memory, at least 1.
    package let passes: Int
    /// Lanes, at least 1.
    package let lanes: Int

    /// The most that may be asked for: 1 GiB, ten passes, four lanes; some 15 s on two cores. Who takes costs
    /// from outside compares them before; this bound stops what slipped through.
    package static let ceiling = (memoryKiB: 1 << 20, passes: 10, lanes: 4)

    /// Costs outside RFC 9106's or above ``ceiling``.
    package struct CostError: Error, Equatable, Sendable {}

    /// Checks the costs. Nothing is allocated yet.
    package init(memoryKiB: Int, passes: Int, lanes: Int) throws(CostError) {
        guard (1...Self.ceiling.lanes).contains(lanes), (1...Self.ceiling.passes).contains(passes),
            (8 * lanes...Self.ceiling.memoryKiB).contains(memoryKiB)
        else { throw CostError() }
        (self.memoryKiB, self.passes, self.lanes) = (memoryKiB, passes, lanes)
    }

    /// Derives `count` bytes (16 or more) from a password and a salt of 8 bytes or more.
    package func derive(
        from password: borrowing SecretBytes, salt: Span<UInt8>, count: Int = 32
    ) -> SecretBytes {
        guard lanes == 1, salt.count == Self.saltByteCount else {
            return deriveWithReference(from: password, salt: salt, count: count)
        }
        return deriveWithSodium(from: password, salt: salt, count: count)
    }

    /// One lane, a salt of 16 bytes. The C function is `crypto_pwhash`.
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

    /// Any lanes; with a secret and associated data where a format has them (RFC 9106 §3.1: K and X).
    /// The C function is `argon2id_ctx`.
    package func deriveWithReference(
        from password: borrowing SecretBytes, salt: Span<UInt8>, secret: Span<UInt8> = Span(),
        associatedData: Span<UInt8> = Span(), count: Int
    ) -> SecretBytes {
        SecretBytes(capacity: count) { output in
            let isDone = unsafe output.tryAppend(count) { target in
                password.withBytes { password in
                    var inputs = unsafe argon2_context()
                    unsafe inputs.out = target
                    unsafe inputs.outlen = UInt32(count)
                    return unsafe password.withPointer { password, passwordCount in
                        unsafe salt.withPointer { salt, saltCount in
                            unsafe secret.withPointer { secret, secretCount in
                                unsafe associatedData.withPointer { data, dataCount in
                                    unsafe (inputs.pwd, inputs.pwdlen) = lent(password, passwordCount)
                                    unsafe (inputs.salt, inputs.saltlen) = lent(salt, saltCount)
                                    unsafe (inputs.secret, inputs.secretlen) = lent(secret, secretCount)
                                    unsafe (inputs.ad, inputs.adlen) = lent(data, dataCount)
                                    return unsafe run(&inputs)
                                }
                            }
                        }
                    }
                }
            }
            precondition(isDone, "libargon2 failed: \(memoryKiB) KiB, salt of \(salt.count) bytes")
        }
    }

    @unsafe private func run(_ inputs: inout argon2_context) -> Bool {
        unsafe inputs.t_cost = UInt32(passes)
        unsafe inputs.m_cost = UInt32(memoryKiB)
        unsafe inputs.lanes = UInt32(lanes)
        unsafe inputs.threads = UInt32(lanes)
        unsafe inputs.version = ARGON2_VERSION_13.rawValue
        // ARGON2_DEFAULT_FLAGS: the C side wipes nothing of ours, we own password and secret.
        unsafe inputs.flags = 0
        return unsafe argon2id_ctx(&inputs) == ARGON2_OK.rawValue
    }

    @unsafe private func lent(
        _ bytes: UnsafePointer<UInt8>, _ count: Int
    ) -> (UnsafeMutablePointer<UInt8>?, UInt32) {
        unsafe (count == 0 ? nil : UnsafeMutablePointer(mutating: bytes), UInt32(count))
    }
}
