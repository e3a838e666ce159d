import CloserPrimitives
import Foundation
import Testing

@Suite("The page: CloserPrimitives")
struct SecretTests {
    @Test("a typed text becomes a secret, and is read within a closure") func typed() {
        let text = "{correct horse"

        // doc: CloserPrimitives
        let typed = SecretBytes(utf8: text)
        // doc: end

        // doc: CloserPrimitives
        let isJSON = typed.withBytes { bytes in bytes.count > 0 && bytes[0] == UInt8(ascii: "{") }
        // doc: end

        #expect(isJSON && typed.count == 14)
    }
}
