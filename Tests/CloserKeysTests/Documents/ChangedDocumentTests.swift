import CloserKeys
import TestSupport
import Testing

/// Every golden document with each of its bits flipped, cut everywhere, and with each byte before and behind it. A document proves nothing
/// of itself: what is still one says something else than before, and what is in it is checked when it is opened.
@Suite("Changed documents")
struct ChangedDocumentTests {
    private static let all = [
        ("couple", DocumentTests.couple), ("invite", DocumentTests.invite), ("answer", DocumentTests.answer),
        ("answer", DocumentTests.message), ("release-key", DocumentTests.releaseKey),
        ("device", DocumentTests.device), ("rekey", DocumentTests.rekey),
    ]
    private static let blanks: [UInt8] = [0x09, 0x0A, 0x0D, 0x20]

    /// What comes of reading it: nil if it is refused, by the document's own error and no other.
    private func read(_ noun: String, _ bytes: [UInt8]) throws -> String? {
        do throws(DocumentError) { return try DocumentTests.reprinted(noun, bytes) } catch { return nil }
    }

    @Test("with a bit flipped it is refused, or says something else; both happen", arguments: all)
    func flipped(_ noun: String, _ text: String) throws {
        let bytes = Array(text.utf8)
        // A wrap implies the version: without the member the document says the same.
        let implied = noun == "couple" ? 2..<2 + "encryptionVersion".utf8.count : 0..<0
        var refusals = 0
        for bit in 0..<bytes.count * 8 where !implied.contains(bit / 8) {
            guard let printed = try read(noun, bytes.flipping(bit: bit)) else {
                refusals += 1
                continue
            }
            #expect(printed != text, "bit \(bit)")
        }
        #expect(refusals > bytes.count && refusals < bytes.count * 8)
    }

    @Test("cut, or with a byte more that is no space, it is no document", arguments: all)
    func cutAndExtended(_ noun: String, _ text: String) throws {
        let bytes = Array(text.utf8)
        for end in bytes.indices { #expect(try read(noun, Array(bytes[..<end])) == nil, "\(end) bytes") }
        for byte in UInt8.min...UInt8.max {
            let expected = Self.blanks.contains(byte) ? text : nil
            #expect(try read(noun, bytes + [byte]) == expected && read(noun, [byte] + bytes) == expected)
        }
    }
}
