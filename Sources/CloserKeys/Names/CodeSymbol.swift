package import CloserPrimitives
internal import CloserWire

/// The 32 symbols of codes, and how people type them.
///
/// Six of them are a password: no branch and no place in a table depends on one. How many bytes were typed shows, and whether they
/// are a code.
package enum CodeSymbol {
    /// Digits and letters without I, L, O and U. Each stands for five bits, so the low bits of a random byte choose evenly.
    static let all = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    package static func random(count: Int, from randomness: Randomness) -> SecretBytes {
        SecretBytes.random(shortLived: count, from: randomness).withBytes(symbols)
    }

    /// The symbol of the low five bits of each byte.
    package static func symbols(of draws: Span<UInt8>) -> SecretBytes {
        SecretBytes(capacity: draws.count) { output in
            for index in draws.indices {
                output.append(ConstantTime.element(at: draws[index] & 31, of: all.span))
            }
        }
    }

    package struct Reading: ~Copyable {
        /// At most as many as there is room for; their count tells if there were more.
        package let symbols: ConstantTimeFilter
        /// Whether there was nothing else but separators.
        package let isFaultless: Bool

        /// Reads all of a text in UTF-8, which should be a code of `room` symbols.
        package init(_ text: Span<UInt8>, room: Int = PairingCode.symbolCount) {
            let read = SecretBytes(shortLived: text.count) { output in
                for index in text.indices { output.append(symbol(of: text[index])) }
            }
            var faults: UInt8 = 0
            for index in text.indices {
                let isSymbol = read.withBytes { ~ConstantTime.mask($0[index], is: 0) }
                faults |= ~(isSymbol | separates(text, at: index))
            }
            isFaultless = faults == 0
            symbols = read.withBytes { read in
                ConstantTimeFilter(of: read, room: room) {
                    ~ConstantTime.mask(read[$0], is: 0)
                }
            }
        }
    }

    /// The symbol that a typed character stands for, or 0 if there is none. Case does not matter, and O, I, L and U count as the symbols
    /// that they look like.
    private static func symbol(of byte: UInt8) -> UInt8 {
        var symbol = ConstantTime.upperCased(byte)
        for (letter, meant) in lookalikes {
            symbol = ConstantTime.choose(ConstantTime.mask(symbol, is: letter), meant, else: symbol)
        }
        return symbol
            & (ConstantTime.mask(symbol, in: 0x30...0x39) | ConstantTime.mask(symbol, in: 0x41...0x5A))
    }

    private static let lookalikes: [(UInt8, UInt8)] = [
        (UInt8(ascii: "O"), UInt8(ascii: "0")), (UInt8(ascii: "I"), UInt8(ascii: "1")),
        (UInt8(ascii: "L"), UInt8(ascii: "1")), (UInt8(ascii: "U"), UInt8(ascii: "V")),
    ]

    /// Whether the byte at `index` is a separator or part of one: space, tab, CR, LF, hyphen, U+00A0, U+2010 to U+2015, U+2212.
    private static func separates(_ text: Span<UInt8>, at index: Int) -> UInt8 {
        Separator.mask(text, at: index) | dash(text, at: index) | dash(text, at: index - 1)
            | dash(text, at: index - 2)
    }

    private static func dash(_ text: Span<UInt8>, at index: Int) -> UInt8 {
        let (first, second) = (Separator.byte(text, index), Separator.byte(text, index + 1))
        let third = Separator.byte(text, index + 2)
        let hyphens = ConstantTime.mask(second, is: 0x80) & ConstantTime.mask(third, in: 0x90...0x95)
        let minus = ConstantTime.mask(second, is: 0x88) & ConstantTime.mask(third, is: 0x92)
        return ConstantTime.mask(first, is: 0xE2) & (hyphens | minus)
    }
}
