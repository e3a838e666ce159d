import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

private let codes = Vector.all(TestData.pairing["codes"], named: "code", atLeast: 16)

@Suite("A pairing code: closer-keys-pairing(7), THE CODE")
struct PairingCodeTests {
    @Test("is read as people type it, or refused", arguments: codes)
    func golden(_ vector: Vector) throws {
        let typed = vector.text("typed")
        guard vector.has("error") else {
            let code = try PairingCode.typed(typed)
            let secret = code.secret.testOnlyBytes()
            #expect(code.lookup.text == vector.text("lookup"))
            #expect(secret == Array(vector.text("secretHalf").utf8))
            let shown = code.text.testOnlyBytes()
            #expect(shown == Array("\(vector.text("lookup"))-\(vector.text("secretHalf"))".utf8))
            return
        }
        let error: PairingCode.FormatError = typed == "7KQ2MX" ? .inviteCode : .malformed
        #expect(throws: error) { _ = try PairingCode.typed(typed) }
    }

    @Test("every hyphen and space that people's keyboards have is dropped, and no other character")
    func separators() throws {
        let dropped = [0x20, 0x09, 0x0D, 0x0A, 0x2D, 0xA0, 0x2212] + Array(0x2010...0x2015)
        for value in Array(0...0x2F) + Array(0x3A...0x40) + Array(0x5B...0x60) + Array(0x7B...0x300)
            + Array(0x2000...0x2300) + [0xFF17, 0x1F511]
        {
            guard let character = Unicode.Scalar(value) else { continue }
            let text = "\(character)7KQ2MX\(character)\(character)4T0HC9\(character)"
            let isCode = (try? PairingCode.typed(text).lookup.text) == "7KQ2MX"
            #expect(isCode == dropped.contains(value), "U+\(String(value, radix: 16))")
        }
        let cut = Array("7KQ2MX4T0HC9".utf8) + [0xE2, 0x80]
        #expect(throws: PairingCode.FormatError.malformed) {
            _ = try PairingCode(typed: SecretBytes(testOnly: cut))
        }
    }

    @Test("every letter and digit is a symbol, and six of them are an invite's code")
    func symbols() throws {
        let folded = "0123456789ABCDEFGH1JK1MN0PQRSTVVWXYZ"
        for (typed, symbol) in zip("0123456789abcdefghijklmnopqrstuvwxyz", folded) {
            for text in ["\(typed)", typed.uppercased()] {
                let code = try PairingCode.typed(String(repeating: text, count: 12))
                #expect(code.lookup.text == String(repeating: symbol, count: 6))
                #expect(throws: PairingCode.FormatError.inviteCode) {
                    _ = try PairingCode.typed(String(repeating: text, count: 6))
                }
            }
        }
    }

    @Test(
        "a lookup in a document has one spelling",
        arguments: ["7kq2mx", "7KQ2M", "7KQ2MXX", "7KQ2MI", "", "7KQ2M "])
    func lookup(_ text: String) throws {
        #expect(throws: PairingCode.FormatError.malformed) { try PairingCode.Lookup(parsing: text) }
        #expect(try PairingCode.Lookup(parsing: "7KQ2MX").text == "7KQ2MX")
    }

    @Test("a new one has each symbol about equally often, and a lookup that is not known yet")
    func random() {
        var counts: [UInt8: Int] = [:]
        for _ in 0..<2000 {
            let code = PairingCode.random()
            for byte in code.text.testOnlyBytes() where byte != UInt8(ascii: "-") {
                counts[byte, default: 0] += 1
            }
        }
        // 750 each; 200 away is over seven standard deviations.
        #expect(counts.count == 32 && counts.values.allSatisfy { (550...950).contains($0) })
        let script = [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 33, count: 12)
        let code = PairingCode.random(from: .testOnlyScript(script)) { $0.text == "000000" }
        let text = code.text.testOnlyBytes()
        #expect(text == Array("111111-111111".utf8))
    }
}
