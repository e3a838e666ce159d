internal import CloserPrimitives

/// What people put between the words of a phrase and the halves of a code, found without a branch on a byte of theirs.
enum Separator {
    /// All bits if the byte at `index` is a space, tab, CR, newline or `-`, or one of the two of U+00A0 in UTF-8; else none.
    static func mask(_ text: Span<UInt8>, at index: Int) -> UInt8 {
        let here = byte(text, index)
        let isAlone = alone.reduce(UInt8(0)) { $0 | ConstantTime.mask(here, is: $1) }
        let isFirst = ConstantTime.mask(here, is: 0xC2) & ConstantTime.mask(byte(text, index + 1), is: 0xA0)
        let isSecond = ConstantTime.mask(byte(text, index - 1), is: 0xC2) & ConstantTime.mask(here, is: 0xA0)
        return isAlone | isFirst | isSecond
    }

    private static let alone: [UInt8] = [0x20, 0x09, 0x0D, 0x0A, 0x2D]

    /// The byte at `index`, or 0 outside the text.
    static func byte(_ text: Span<UInt8>, _ index: Int) -> UInt8 {
        text.indices.contains(index) ? text[index] : 0
    }
}
