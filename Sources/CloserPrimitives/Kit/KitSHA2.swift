#if CLOSER_KIT
#if canImport(CryptoKit)
internal import CryptoKit
internal import Foundation
#else
internal import Crypto
internal import FoundationEssentials
#endif

/// SHA-2 as CryptoKit computes it, and what is built on it: HMAC and HKDF.
enum KitSHA2 {
    static func appendSHA256(of bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        output.append(copying: unsafe bytes.withKitBytes { unsafe Kit.SHA256.hash(data: $0) })
    }

    static func appendSHA512(of bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        output.append(copying: unsafe bytes.withKitBytes { unsafe Kit.SHA512.hash(data: $0) })
    }

    static func appendHMAC(of message: Span<UInt8>, key: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        let key = key.symmetricKey
        output.append(
            copying: unsafe message.withKitBytes {
                unsafe Kit.HMAC.authenticationCode(for: $0, using: key)
            })
    }

    static func appendHKDF(
        _ count: Int, from keyMaterial: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>,
        to output: inout OutputSpan<UInt8>
    ) {
        let material = keyMaterial.symmetricKey
        let derived = unsafe salt.withKitBytes { salt in
            unsafe info.withKitBytes { info in
                unsafe Kit.HKDF.deriveKey(
                    inputKeyMaterial: material, salt: salt, info: info, outputByteCount: count)
            }
        }
        output.append(copying: derived)
    }

    /// A SHA-256 whose input comes in parts.
    final class Parts {
        private var hash = Kit.SHA256()

        func append(_ bytes: Span<UInt8>) {
            unsafe bytes.withKitBytes { unsafe hash.update(bufferPointer: $0) }
        }

        /// Ends it: no part may follow.
        func appendDigest(to output: inout OutputSpan<UInt8>) { output.append(copying: hash.finalize()) }
    }
}
#endif
