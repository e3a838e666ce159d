#if CLOSER_KIT && CLOSER_LIBCRYPTO
import TestSupport
import Testing

@testable import CloserPrimitives

/// The same random inputs to both providers: they give the same bytes, and refuse the same inputs.
///
/// Each compares the providers themselves, below the checks of ours that both of them share.
@Suite("CryptoKit's provider and libcrypto's give the same answers")
struct DifferentialTests {
    @Test(
        "AES-GCM: boxes are the same, open with both, and do not open with either once anything is changed",
        .proves("OpenSSL and CryptoKit as providers give the same results")
    )
    func aesGCM() {
        for index in 0..<Effort.differentialCount {
            let key = random(of: index % 2 == 0 ? 16 : 32)
            let (nonce, data) = (random(of: 12), random(upTo: 64))
            let plaintext = index % 100 == 0 ? random(of: 4096) : random(upTo: 80)
            let ciphers = Ciphers(key)
            let sealed = ciphers.sealed(plaintext, nonce, data)
            #expect(sealed.0 == sealed.1, "key \(key), nonce \(nonce), data \(data), \(plaintext)")
            let opened = ciphers.opened(sealed.0, nonce, data)
            #expect(opened.0 == plaintext && opened.1 == plaintext)
            let changed = Box(box: sealed.0, nonce: nonce, data: data).changed(at: index)
            let refused = ciphers.opened(changed.box, changed.nonce, changed.data)
            #expect(refused.0 == nil && refused.1 == nil, "key \(key), \(changed)")
            let other = Ciphers(key.flipping(bit: index % (key.count * 8)))
            let foreign = other.opened(sealed.0, nonce, data)
            #expect(foreign.0 == nil && foreign.1 == nil)
        }
    }

    @Test("SHA-256 and SHA-512")
    func sha2() {
        for index in 0..<Effort.differentialCount {
            let message = index % 100 == 0 ? random(of: 5000) : random(upTo: 300)
            let sha256 = both(32) {
                LibcryptoSHA2.appendSHA256(of: message.span, to: &$0)
            } and: {
                KitSHA2.appendSHA256(of: message.span, to: &$0)
            }
            let sha512 = both(64) {
                LibcryptoSHA2.appendSHA512(of: message.span, to: &$0)
            } and: {
                KitSHA2.appendSHA512(of: message.span, to: &$0)
            }
            #expect(sha256.0 == sha256.1 && sha512.0 == sha512.1, "\(message)")
        }
    }

    @Test("HMAC-SHA256, with keys below and above a block")
    func hmac() {
        for index in 0..<Effort.differentialCount {
            let (key, message) = (random(upTo: 150), random(upTo: index % 100 == 0 ? 5000 : 300))
            let tags = both(32) {
                LibcryptoSHA2.appendHMAC(of: message.span, key: key.span, to: &$0)
            } and: {
                KitSHA2.appendHMAC(of: message.span, key: key.span, to: &$0)
            }
            #expect(tags.0 == tags.1, "key \(key), message \(message)")
        }
    }

    @Test("HKDF-SHA256, with every length of what goes in and comes out")
    func hkdf() {
        for index in 0..<Effort.differentialCount {
            let (material, salt) = (random(upTo: 100), random(upTo: 100))
            let info = random(upTo: index % 100 == 0 ? HKDF.maximumInfoByteCount : 100)
            let count = Int.random(in: 1...(index % 100 == 0 ? 255 * 32 : 100))
            let keys = both(count) {
                LibcryptoSHA2.appendHKDF(
                    count, from: material.span, salt: salt.span, info: info.span, to: &$0)
            } and: {
                KitSHA2.appendHKDF(
                    count, from: material.span, salt: salt.span, info: info.span, to: &$0)
            }
            #expect(keys.0 == keys.1, "material \(material), salt \(salt), info \(info.count) bytes")
        }
    }

    /// As many bytes as both write, by the first provider and by the second.
    private func both(
        _ count: Int, _ first: (inout OutputSpan<UInt8>) -> Void,
        and second: (inout OutputSpan<UInt8>) -> Void
    ) -> ([UInt8], [UInt8]) {
        (
            [UInt8](capacity: count, initializingWith: first),
            [UInt8](capacity: count, initializingWith: second)
        )
    }
}

/// One key with both providers.
private struct Ciphers: ~Copyable {
    private let libcrypto: LibcryptoAESGCM
    private let kit: KitAESGCM

    init(_ key: [UInt8]) {
        libcrypto = LibcryptoAESGCM(key: key.span)
        kit = KitAESGCM(key: key.span)
    }

    func sealed(_ plaintext: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) -> ([UInt8], [UInt8]) {
        let nonce = AESGCM.Nonce(nonce.span)
        return (
            [UInt8](capacity: plaintext.count + 16) {
                libcrypto.seal(plaintext.span, nonce: nonce, authenticating: data.span, into: &$0)
            },
            [UInt8](capacity: plaintext.count + 16) {
                kit.seal(plaintext.span, nonce: nonce, authenticating: data.span, into: &$0)
            }
        )
    }

    /// Nil where a provider refuses. One that refuses and hands out bytes all the same gives those.
    func opened(_ box: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) -> ([UInt8]?, [UInt8]?) {
        let nonce = AESGCM.Nonce(nonce.span)
        let (ciphertext, tag) = (box.span.extracting(droppingLast: 16), box.span.extracting(last: 16))
        var isOpen = (false, false)
        let first = [UInt8](capacity: box.count) {
            isOpen.0 = libcrypto.open(
                ciphertext, tag: tag, nonce: nonce, authenticating: data.span, into: &$0)
        }
        let second = [UInt8](capacity: box.count) {
            isOpen.1 = kit.open(ciphertext, tag: tag, nonce: nonce, authenticating: data.span, into: &$0)
        }
        return (isOpen.0 || !first.isEmpty ? first : nil, isOpen.1 || !second.isEmpty ? second : nil)
    }
}

private struct Box {
    var box: [UInt8]
    var nonce: [UInt8]
    var data: [UInt8]

    /// Another tag, ciphertext, nonce or associated data, in turn.
    func changed(at index: Int) -> Box {
        var copy = self
        switch index % 5 {
        case 0: copy.box = box.flipping(bit: Int.random(in: (box.count - 16) * 8..<box.count * 8))
        case 1: copy.box = box.flipping(bit: Int.random(in: 0..<box.count * 8))
        case 2: copy.nonce = nonce.flipping(bit: Int.random(in: 0..<96))
        case 3: copy.data = data + [0]
        default: copy.box = Array(box.dropFirst()) + [box[0] ^ 1]
        }
        return copy
    }
}
#endif
