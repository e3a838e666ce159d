internal import CCloserLibcrypto

/// Owns an `EVP_CIPHER_CTX` with the key schedule of one AES-GCM key.
///
/// The schedule is a copy of a key outside our guarded memory, as are libcrypto's numbers and HMAC states; it
/// cleanses them when they are freed.
@safe struct CipherContext: ~Copyable, @unchecked Sendable {
    enum Direction: CInt { case open = 0, seal = 1 }

    private let context: OpaquePointer

    init(_ algorithm: OpaquePointer, key: Span<UInt8>) {
        unsafe context = owned(.allocate, EVP_CIPHER_CTX_new())
        let status = unsafe key.withPointer { key, _ in
            unsafe EVP_CipherInit_ex(context, algorithm, nil, key, nil, Direction.seal.rawValue)
        }
        expectOne(.cipher, status)
    }

    mutating func start(_ direction: Direction, nonce: Span<UInt8>, authenticating data: Span<UInt8>) {
        let status = unsafe nonce.withPointer { nonce, _ in
            unsafe EVP_CipherInit_ex(context, nil, nil, nil, nonce, direction.rawValue)
        }
        expectOne(.cipher, status)
        data.forEachPiece { piece in
            unsafe piece.withPointer { data, count in
                var written: CInt = 0
                unsafe expectOne(.cipher, EVP_CipherUpdate(context, nil, &written, data, CInt(count)))
            }
        }
    }

    /// Appends as many bytes as `input` has.
    mutating func update(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        input.forEachPiece { piece in
            unsafe output.append(piece.count) { target in
                var written: CInt = 0
                return unsafe piece.withPointer { input, count in
                    unsafe EVP_CipherUpdate(context, target, &written, input, CInt(count)) == 1
                }
            }
        }
    }

    /// Ends a seal and appends the tag.
    mutating func appendTag(_ byteCount: Int, to output: inout OutputSpan<UInt8>) {
        expectOne(.cipher, finish())
        unsafe output.append(byteCount) { target in
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(byteCount), target) == 1
        }
    }

    /// Whether `tag` belongs to what was opened.
    mutating func accepts(tag: Span<UInt8>) -> Bool {
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

    private func finish() -> CInt {
        var (written, none): (CInt, UInt8) = (0, 0)
        return unsafe EVP_CipherFinal_ex(context, &none, &written)
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }
}

extension Span where Element == UInt8 {
    /// libcrypto counts in C's `int`, so what is longer than 1 GiB goes in pieces.
    fileprivate func forEachPiece(_ body: (Span<UInt8>) -> Void) {
        var rest = self
        while !rest.isEmpty {
            let piece = rest.extracting(first: 1 << 30)
            body(piece)
            rest = rest.extracting(droppingFirst: piece.count)
        }
    }
}
