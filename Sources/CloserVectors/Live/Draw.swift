internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Random choices for live cases, with the edges more often than chance would have them.
enum Draw {
    static func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count) == 0 }

    static func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        Randomness.system.bytes(.random(in: counts))
    }

    /// Around the blocks of AES and SHA-256, empty, one byte, 64 KiB, and whatever lies between.
    static func plaintext() -> [UInt8] {
        switch Int.random(in: 0..<100) {
        case 0..<10: bytes(0...1)
        case 10..<40: Randomness.system.bytes(edges[.random(in: edges.indices)])
        case 99: bytes(65_536...65_536)
        default: bytes(2...1000)
        }
    }

    private static let edges = [15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257]

    /// 1 to 64 characters.
    static func identifier() throws -> Identifier {
        let marks = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-:@+")
        return try Identifier(parsing: String((1...Int.random(in: 1...64)).map { _ in pick(marks) }))
    }

    /// Of every width in UTF-8, with what JSON escapes.
    static func text(_ counts: ClosedRange<Int>) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0...0x1F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
        ]
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: counts) {
            let range = oneIn(2) ? ranges[0] : pick(ranges)
            scalars.append(Unicode.Scalar(.random(in: range)) ?? "?")
        }
        return String(scalars)
    }

    static func pick<Element>(_ choices: [Element]) -> Element { choices[.random(in: choices.indices)] }

    static func phrase() -> String {
        let phrase = RecoveryPhrase.random().text.withBytes { Array(copying: $0) }
        return String(decoding: phrase, as: UTF8.self)
    }

    /// One to three keys, of which each but the primary may be disabled, with any prefixes.
    static func keyset(_ template: KeyTemplate, prefixes: [OutputPrefix] = OutputPrefix.allCases) throws
        -> Keyset
    {
        var keyset = Keyset(template, prefix: pick(prefixes))
        for _ in 0..<Int.random(in: 0...2) {
            let first = keyset.primaryID
            keyset = try keyset.adding(template, prefix: pick(prefixes))
            let added = keyset.entries[keyset.entries.count - 1].id
            if oneIn(2) { keyset = try keyset.promoting(added) }
            if oneIn(3) { keyset = try keyset.disabling(keyset.primaryID == added ? first : added) }
        }
        return keyset
    }

    /// As Tink's template has it, or under AES-256, with a salt or without.
    static func eciesTemplate() -> KeyTemplate {
        .ecies(ECIESParameters(dem: pick([.aes128GCM, .aes256GCM]), salt: oneIn(2) ? [] : bytes(1...40)))
    }
}
