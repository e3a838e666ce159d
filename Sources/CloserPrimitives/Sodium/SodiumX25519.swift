#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

// X25519 as libsodium computes it.

extension X25519 {
    /// Appends the public key of a private scalar, 32 bytes. The C function is `crypto_scalarmult_base`.
    static func appendPublicKey(of scalar: borrowing SecretBytes, to output: inout OutputSpan<UInt8>) {
        Sodium.start()
        unsafe output.append(byteCount) { target in
            scalar.withBytes { bytes in
                unsafe bytes.withPointer { scalar, _ in unsafe crypto_scalarmult_base(target, scalar) == 0 }
            }
        }
    }

    /// Appends what a scalar and a point agree on, 32 bytes, unless that would be all zero, and says whether it did.
    ///
    /// The C function is `crypto_scalarmult`.
    static func appendAgreement(
        of scalar: borrowing SecretBytes, with point: Span<UInt8>, to output: inout OutputSpan<UInt8>
    ) -> Bool {
        unsafe output.tryAppend(byteCount) { target in
            scalar.withBytes { scalar in
                unsafe scalar.withPointer { scalar, _ in
                    unsafe point.withPointer { point, _ in
                        unsafe crypto_scalarmult(target, scalar, point) == 0
                    }
                }
            }
        }
    }
}
