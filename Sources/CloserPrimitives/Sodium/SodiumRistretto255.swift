#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

// ristretto255 as libsodium computes it.

extension Ristretto255 {
    /// Whether 32 bytes are an element as libsodium sees it.
    ///
    /// It is a part of the check: libsodium 1.0.18 ignores bit 255, and takes the identity. The C function is
    /// `crypto_core_ristretto255_is_valid_point`.
    static func isValidForSodium(_ encoding: Span<UInt8>) -> Bool {
        Sodium.start()
        return unsafe encoding.withPointer { encoding, _ in
            unsafe crypto_core_ristretto255_is_valid_point(encoding) == 1
        }
    }

    /// Appends the element that 64 uniform bytes stand for, 32 bytes (RFC 9496 §4.3.4).
    ///
    /// The C function is `crypto_core_ristretto255_from_hash`.
    static func appendElement(mapping hash: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        Sodium.start()
        unsafe output.append(byteCount) { target in
            unsafe hash.withPointer { hash, _ in unsafe crypto_core_ristretto255_from_hash(target, hash) == 0
            }
        }
    }

    /// Appends a number of 64 bytes modulo the group's order, 32 bytes, the least significant first.
    ///
    /// The C function is `crypto_core_ristretto255_scalar_reduce`.
    static func appendReduced(_ number: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        Sodium.start()
        unsafe output.append(byteCount) { target in
            unsafe number.withPointer { number, _ in
                unsafe crypto_core_ristretto255_scalar_reduce(target, number)
            }
            return true
        }
    }

    /// Appends an element multiplied by a scalar, 32 bytes. That fails only where the result is the identity, and with a scalar and
    /// an element that were checked it never is: the order of the group is prime. The C function is
    /// `crypto_scalarmult_ristretto255`.
    static func appendProduct(
        of scalar: Span<UInt8>, and element: Span<UInt8>, to output: inout OutputSpan<UInt8>
    ) {
        Sodium.start()
        unsafe output.append(byteCount) { target in
            unsafe scalar.withPointer { scalar, _ in
                unsafe element.withPointer { element, _ in
                    unsafe crypto_scalarmult_ristretto255(target, scalar, element) == 0
                }
            }
        }
    }
}
