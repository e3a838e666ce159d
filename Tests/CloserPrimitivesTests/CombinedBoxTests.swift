import CloserPrimitives
import TestSupport
import Testing

@Suite("AES-GCM, combined: nonce, ciphertext, tag")
struct CombinedBoxTests {
    private let nonce = [UInt8](repeating: 7, count: 12)
    private let data = Array("context".utf8)
    private let cipher = AESGCM(key: SecretBytes(testOnly: [UInt8](repeating: 1, count: 32)))

    private func opened(_ box: [UInt8], _ data: [UInt8]) throws(AESGCM.AuthenticationFailure) -> [UInt8] {
        try [UInt8](capacity: box.count) { (output) throws(AESGCM.AuthenticationFailure) in
            try cipher.openCombined(box.span, authenticating: data.span, into: &output)
        }
    }

    private func failure(_ box: [UInt8], _ data: [UInt8]) -> AESGCM.AuthenticationFailure? {
        do {
            _ = try cipher.openCombined(box.span, authenticating: data.span)
            return nil
        } catch { return error }
    }

    @Test("it is the nonce and then what the caller's nonce gives", arguments: [0, 1, 300])
    func layout(_ count: Int) throws {
        let plaintext = [UInt8](repeating: 9, count: count)
        let box = cipher.sealCombined(
            plaintext.span, authenticating: data.span, nonceFrom: .testOnlyScript(nonce))
        let expected = [UInt8](capacity: count + 16) {
            cipher.seal(plaintext.span, nonce: nonce.span, authenticating: data.span, into: &$0)
        }
        #expect(box == nonce + expected && box.count == count + AESGCM.overheadByteCount)
        let (array, secret) = (
            try opened(box, data),
            try cipher.openCombined(box.span, authenticating: data.span).testOnlyBytes()
        )
        #expect(array == plaintext && secret == plaintext)
    }

    @Test("any changed bit, and other associated data")
    func changed() {
        let box = cipher.sealCombined(Array("dawn".utf8).span, authenticating: data.span)
        for bit in 0..<box.count * 8 {
            let changed = box.flipping(bit: bit)
            #expect(throws: AESGCM.AuthenticationFailure.self) { try opened(changed, data) }
            #expect(failure(changed, data) != nil)
        }
        #expect(throws: AESGCM.AuthenticationFailure.self) { try opened(box, []) }
        #expect(failure(box, []) != nil)
    }

    @Test("a box shorter than a nonce and a tag", arguments: 0..<28)
    func short(_ count: Int) {
        let box = [UInt8](repeating: 0, count: count)
        #expect(throws: AESGCM.AuthenticationFailure.self) { try opened(box, data) }
        #expect(failure(box, data) != nil)
    }

    @Test("each box has a nonce of its own")
    func fresh() {
        let boxes = (0..<8).map { _ in cipher.sealCombined(Span(), authenticating: Span()).prefix(12) }
        #expect(Set(boxes.map(Array.init)).count == 8)
    }
}
