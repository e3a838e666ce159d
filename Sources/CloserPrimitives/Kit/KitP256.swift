#if CLOSER_KIT
#if canImport(CryptoKit)
internal import CryptoKit
internal import Foundation
#else
internal import Crypto
internal import FoundationEssentials
#endif

// P-256 as CryptoKit computes it. Whether a scalar is in range and how a point may begin is checked before, in P256.swift:
// what CryptoKit refuses beyond that is its own affair.

/// A secret scalar, 1 to n − 1.
struct KitScalar: ~Copyable {
    fileprivate let key: Kit.P256.PrivateKey

    init(_ bytes: borrowing SecretBytes) {
        key = bytes.withBytes { bytes in
            unsafe bytes.withKitBytes { bytes in
                unsafe Kit.expect("P256.PrivateKey") {
                    unsafe try Kit.P256.PrivateKey(rawRepresentation: bytes)
                }
            }
        }
    }
}

/// A point on the curve.
struct KitPoint: ~Copyable, Sendable {
    private let key: Kit.P256.PublicKey

    /// Decodes SEC 1 §2.3.4, by its length; nil if a coordinate is not below p or the point is not on the curve.
    init?(decoding bytes: Span<UInt8>) {
        let key = unsafe bytes.withKitBytes { source in
            bytes.count == P256.PointFormat.compressed.byteCount
                ? unsafe try? Kit.P256.PublicKey(compressedRepresentation: source)
                : unsafe try? Kit.P256.PublicKey(x963Representation: source)
        }
        guard let key else { return nil }
        self.key = key
    }

    /// k·G.
    init(generatorTimes scalar: borrowing KitScalar) { key = scalar.key.publicKey }

    /// Appends the x coordinate of k·P, 32 bytes.
    borrowing func appendAgreement(with scalar: borrowing KitScalar, to output: inout OutputSpan<UInt8>) {
        let (ours, theirs) = (scalar.key, key)
        output.append(
            copying: unsafe Kit.expect("P256 agreement") {
                try ours.sharedSecretFromKeyAgreement(with: theirs)
            })
    }

    /// Appends SEC 1 §2.3.3's uncompressed form, 65 bytes: `04 ‖ X ‖ Y`.
    borrowing func appendUncompressed(to output: inout OutputSpan<UInt8>) {
        output.append(copying: key.x963Representation)
    }
}
#endif
