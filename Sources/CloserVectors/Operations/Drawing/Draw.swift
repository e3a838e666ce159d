internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Random choices for live cases, with the edges more often than chance would have them.
enum Draw {
    static func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count) == 0 }

    static func pick<Element>(_ choices: [Element]) -> Element { choices[.random(in: choices.indices)] }

    static func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        Randomness.system.bytes(.random(in: counts))
    }

    /// Empty, around the blocks of AES and SHA-256, and up to 64 KiB, of every order of magnitude.
    static func plaintext() -> [UInt8] {
        switch Int.random(in: 0..<10) {
        case 0: bytes(0...1)
        case 1...3: Randomness.system.bytes(16 * pick([1, 2, 4, 16]) + .random(in: -1...1))
        default:
            bytes(1...pick((1...16).map { 1 << $0 }))
        }
    }

    /// What a stream seals: of those with short segments one in three ends at a segment's border, or beside it.
    static func streamPlaintext(segmentByteCount: Int) -> [UInt8] {
        guard oneIn(3), segmentByteCount < 1 << 16 else { return plaintext() }
        let headerByteCount = StreamingAEAD.minimumByteCount - AESGCM.tagByteCount
        let whole = Int.random(in: 1...5) * (segmentByteCount - AESGCM.tagByteCount) - headerByteCount
        return Randomness.system.bytes(whole + .random(in: -1...1))
    }

    /// 1 to 127 characters: one may be added.
    static func identifier() throws -> Identifier {
        let count = oneIn(10) ? Identifier.maximumCount - 1 : Int.random(in: 1...30)
        return try Identifier(parsing: String(decoding: (0..<count).map { _ in pick(marks) }, as: UTF8.self))
    }

    private static let marks = (UInt8(0)...127).filter(Identifier.isAllowed)

    /// Of every width in UTF-8, with what JSON escapes; without what Unicode calls noncharacters.
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

    /// Another text, that is still an identifier if this one is.
    static func other(than text: String) -> String { oneIn(2) ? text + "x" : "x" + text }

    static func other(than bytes: [UInt8]) -> [UInt8] {
        var other = bytes
        guard !bytes.isEmpty, oneIn(2) else { return bytes + [.random(in: 0...255)] }
        other[.random(in: bytes.indices)] ^= 1 << UInt8.random(in: 0..<8)
        return other
    }
}
