internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink

/// Random choices for live cases. Edge cases come up more often than by chance alone.
enum RandomValue {
    static func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count) == 0 }

    static func pick<Element>(_ choices: [Element]) -> Element { choices[.random(in: choices.indices)] }

    static func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        Randomness.system.bytes(.random(in: counts))
    }

    /// A plaintext of up to 64 KiB, of every order of magnitude; often empty, or about as long as some blocks of AES or
    /// SHA-256.
    static func plaintext() -> [UInt8] {
        switch Int.random(in: 0..<10) {
        case 0: bytes(0...1)
        case 1...3: Randomness.system.bytes(16 * pick([1, 2, 4, 16]) + .random(in: -1...1))
        default:
            bytes(1...pick((1...16).map { 1 << $0 }))
        }
    }

    /// A plaintext for a stream. With short segments, one in three ends at the border of a segment, or beside it.
    static func streamPlaintext(segmentByteCount: Int) -> [UInt8] {
        guard oneIn(3), segmentByteCount < 1 << 16 else { return plaintext() }
        let headerByteCount = StreamingAEAD.minimumByteCount - AESGCM.tagByteCount
        let whole = Int.random(in: 1...5) * (segmentByteCount - AESGCM.tagByteCount) - headerByteCount
        return Randomness.system.bytes(whole + .random(in: -1...1))
    }

    /// The text of an identifier of 1 to 127 characters, so that ``other(than:)-(String)`` may add one.
    static func identifier() -> String {
        let count = oneIn(10) ? Identifier.maximumCount - 1 : Int.random(in: 1...30)
        return String(decoding: (0..<count).map { _ in pick(marks) }, as: UTF8.self)
    }

    static func twoIdentifiers() -> (String, String) {
        let (one, two) = (identifier(), identifier())
        return one == two ? twoIdentifiers() : (one, two)
    }

    private static let marks = (UInt8(0)...127).filter(Identifier.isAllowed)

    /// The place of a field, of 1 to 511 characters, so that ``other(than:)-(String)`` may add one.
    static func place() -> String {
        let count = oneIn(10) ? FieldPlace.maximumCount - 1 : Int.random(in: 1...60)
        return String(decoding: (0..<count).map { _ in UInt8.random(in: 0x20...0x7e) }, as: UTF8.self)
    }

    /// A text with scalars of every width in UTF-8, also those that JSON escapes, but without Unicode's noncharacters.
    static func text(_ counts: ClosedRange<Int>) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0...0x1F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFDCF, 0x10000...0x1FFFD,
            0x2028...0x2029, 0x100000...0x10FFFD,
        ]
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: counts) {
            let range = oneIn(2) ? ranges[0] : pick(ranges)
            scalars.append(Unicode.Scalar(.random(in: range)) ?? "?")
        }
        return String(scalars)
    }

    /// Another text. If `text` is an identifier of at most 127 characters, so is this one.
    static func other(than text: String) -> String { oneIn(2) ? text + "x" : "x" + text }

    static func other(than bytes: [UInt8]) -> [UInt8] {
        var other = bytes
        guard !bytes.isEmpty, oneIn(2) else { return bytes + [.random(in: 0...255)] }
        other[.random(in: bytes.indices)] ^= 1 << UInt8.random(in: 0..<8)
        return other
    }
}
