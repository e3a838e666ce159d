#if CLOSER_LIBARGON2
internal import CCloserArgon2

// Argon2id as the reference implementation computes it, libargon2.

extension Argon2id {
    /// The version of the algorithm, which is what the library tells.
    static var libraryVersion: String { "algorithm 1.\(ARGON2_VERSION_NUMBER.rawValue & 15)" }

    /// Any number of lanes, and a secret and associated data where a format has them (RFC 9106 §3.1: K and X).
    ///
    /// The C function is `argon2id_ctx`.
    package func deriveWithReference(
        from password: borrowing SecretBytes, salt: Span<UInt8>, secret: Span<UInt8> = Span(),
        associatedData: Span<UInt8> = Span(), count: Int
    ) throws(MemoryShortage) -> SecretBytes {
        precondition(salt.count >= 8)
        return try SecretBytes(capacity: count) { (output) throws(MemoryShortage) in
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
            guard isDone else { throw shortage }
        }
    }

    /// Fills in the costs and computes. False for want of memory.
    @unsafe private func run(_ inputs: inout argon2_context) -> Bool {
        unsafe inputs.t_cost = UInt32(passes)
        unsafe inputs.m_cost = UInt32(memoryKiB)
        unsafe inputs.lanes = UInt32(lanes)
        // The answer is the same, and there is no thread to fail: libargon2 crashes where the system gives none.
        unsafe inputs.threads = 1
        unsafe inputs.version = ARGON2_VERSION_13.rawValue
        // ARGON2_DEFAULT_FLAGS: C must not wipe password and secret, which belong to the caller.
        unsafe inputs.flags = 0
        return unsafe argon2id_ctx(&inputs) == ARGON2_OK.rawValue
    }

    /// An input as the struct of C wants it: a mutable pointer, which is only read, and nil for an empty input.
    @unsafe private func lent(
        _ bytes: UnsafePointer<UInt8>, _ count: Int
    ) -> (UnsafeMutablePointer<UInt8>?, UInt32) {
        unsafe (count == 0 ? nil : UnsafeMutablePointer(mutating: bytes), UInt32(count))
    }
}
#endif
