#if CLOSER_LIBCRYPTO
internal import CCloserLibcrypto

/// AES-GCM as libcrypto computes it. It keeps the key schedule, so that the second message costs less than half of the first.
/// Threads take turns.
struct LibcryptoAESGCM: ~Copyable, Sendable {
    private let context: Lock<CipherContext>

    /// Takes a key of 16 or 32 bytes.
    init(key: Span<UInt8>) { context = Lock(CipherContext(key: key)) }

    /// Appends the ciphertext and the tag.
    func seal(
        _ plaintext: Span<UInt8>, nonce: AESGCM.Nonce, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) {
        context.withLock { context in
            context.start(.seal, nonce: nonce, authenticating: data)
            context.seal(plaintext, into: &output)
        }
    }

    /// Appends the plaintext if the tag is its tag, and says whether it is.
    func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, nonce: AESGCM.Nonce,
        authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        let isAuthentic = context.withLock { context in
            context.start(.open, nonce: nonce, authenticating: data)
            return context.open(ciphertext, tag: tag, into: &output)
        }
        if !isAuthentic { output.wipeLast(ciphertext.count) }
        return isAuthentic
    }
}

/// Owns an `EVP_CIPHER_CTX` with the key schedule of one key.
///
/// The schedule is a copy of the key outside our guarded memory, as are libcrypto's numbers and HMAC states. libcrypto
/// cleanses them when they are freed. Safe to send to another thread: all of it is free of thread-local state,
/// and threads that share it take turns.
@safe struct CipherContext: ~Copyable, @unchecked Sendable {
    /// The numbers of `EVP_CipherInit_ex`.
    enum Direction: CInt { case open = 0, seal = 1 }

    private let context: OpaquePointer

    init(key: Span<UInt8>) {
        let algorithm = unsafe key.count == 16 ? Libcrypto.aes128GCM : Libcrypto.aes256GCM
        unsafe context = owned(.allocate, EVP_CIPHER_CTX_new())
        let status = unsafe key.withPointer { key, _ in
            unsafe EVP_CipherInit_ex(context, algorithm, nil, key, nil, Direction.seal.rawValue)
        }
        expectOne(.cipher, status)
    }

    /// Begins a message: every seal and every open begins with this.
    mutating func start(_ direction: Direction, nonce: AESGCM.Nonce, authenticating data: Span<UInt8>) {
        let status = unsafe nonce.withBytes { nonce in
            unsafe nonce.withMemoryRebound(to: UInt8.self) {
                unsafe EVP_CipherInit_ex(context, nil, nil, nil, $0.baseAddress, direction.rawValue)
            }
        }
        expectOne(.cipher, status)
        data.forEachPiece { piece in
            unsafe piece.withPointer { data, count in
                var written: CInt = 0
                unsafe expectOne(.cipher, EVP_CipherUpdate(context, nil, &written, data, CInt(count)))
            }
        }
    }

    /// Ends a message by appending its ciphertext and its tag.
    mutating func seal(_ plaintext: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        update(plaintext, into: &output)
        expectOne(.cipher, finish())
        let count = AESGCM.tagByteCount
        unsafe output.append(count) { target in
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(count), target) == 1
        }
    }

    /// Ends a message by appending its plaintext, and says whether `tag` belongs to it. If not, the caller wipes it.
    mutating func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) -> Bool {
        update(ciphertext, into: &output)
        let status = unsafe tag.withPointer { tag, count in
            let tag = unsafe UnsafeMutableRawPointer(mutating: tag)  // C only reads it
            return unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(count), tag)
        }
        expectOne(.cipher, status)
        guard finish() == 1 else {
            ERR_clear_error()
            return false
        }
        return true
    }

    /// Appends as many bytes as `input` has.
    private mutating func update(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        input.forEachPiece { piece in
            unsafe output.append(piece.count) { target in
                var written: CInt = 0
                return unsafe piece.withPointer { input, count in
                    unsafe EVP_CipherUpdate(context, target, &written, input, CInt(count)) == 1
                }
            }
        }
    }

    private func finish() -> CInt {
        var (written, none): (CInt, UInt8) = (0, 0)
        return unsafe EVP_CipherFinal_ex(context, &none, &written)
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }
}

extension Span where Element == UInt8 {
    /// Calls `body` with pieces of at most 1 GiB: libcrypto counts in C's `int`.
    fileprivate func forEachPiece(_ body: (Span<UInt8>) -> Void) {
        var rest = self
        while !rest.isEmpty {
            let piece = rest.extracting(first: 1 << 30)
            body(piece)
            rest = rest.extracting(droppingFirst: piece.count)
        }
    }
}
#endif
