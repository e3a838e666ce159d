#if CLOSER_KIT
#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif
#if canImport(CryptoKit)
internal import CryptoKit
internal import Foundation
#else
internal import Crypto
internal import FoundationEssentials
#endif

/// AES-GCM as CryptoKit computes it, from whole messages.
///
/// It keeps the key, and computes the schedule for each message. Where swift-crypto stands in for CryptoKit, that schedule
/// stays in memory that was freed: docs/threat-model.md, Secrets in memory.
struct KitAESGCM: Sendable {
    private let key: SymmetricKey

    /// Takes a key of 16 or 32 bytes.
    init(key: Span<UInt8>) { self.key = key.symmetricKey }

    /// Appends the ciphertext and the tag.
    func seal(
        _ plaintext: Span<UInt8>, nonce: AESGCM.Nonce, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) {
        let box = unsafe plaintext.withKitBytes { plaintext in
            unsafe data.withKitBytes { data in
                unsafe Kit.expect("AES.GCM.seal") {
                    unsafe try AES.GCM.seal(
                        plaintext, using: key, nonce: kitNonce(nonce), authenticating: data)
                }
            }
        }
        output.append(copying: box.ciphertext)
        output.append(copying: box.tag)
    }

    /// Appends the plaintext if the tag is its tag, and says whether it is.
    func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, nonce: AESGCM.Nonce,
        authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        let box = unsafe ciphertext.withKitBytes { ciphertext in
            unsafe tag.withKitBytes { tag in
                unsafe Kit.expect("AES.GCM.SealedBox") {
                    unsafe try AES.GCM.SealedBox(nonce: kitNonce(nonce), ciphertext: ciphertext, tag: tag)
                }
            }
        }
        // A variable from the start, and the only reference: wiping a shared one would wipe a new copy.
        var plaintext: Data
        do {
            plaintext = try unsafe data.withKitBytes { data in
                unsafe try AES.GCM.open(box, using: key, authenticating: data)
            }
        } catch { return false }
        output.append(copying: plaintext)
        plaintext.wipe()
        return true
    }

    private func kitNonce(_ nonce: AESGCM.Nonce) -> AES.GCM.Nonce {
        unsafe nonce.withBytes { bytes in
            unsafe Kit.expect("AES.GCM.Nonce") { unsafe try AES.GCM.Nonce(data: bytes) }
        }
    }
}

extension Data {
    /// CryptoKit hands out plaintexts in ordinary memory. The C function is `sodium_memzero`.
    fileprivate mutating func wipe() {
        unsafe withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) }
    }
}
#endif
