/// How a program saved a text that no parser of ours accepts.
package enum TextFault: Error, Equatable, Sendable {
    case byteOrderMark, utf16

    /// Nil if the encoding is right.
    package init?(_ bytes: Span<UInt8>) {
        if bytes.extracting(first: 3).isSame(as: [0xEF, 0xBB, 0xBF].span) {
            self = .byteOrderMark
        } else if Self.isUTF16(bytes) {
            self = .utf16
        } else {
            return nil
        }
    }

    /// After "this" or "the answer".
    package var words: String {
        switch self {
        case .byteOrderMark: "begins with a byte order mark"
        case .utf16: "is in UTF-16 instead of UTF-8"
        }
    }

    package static let hint = "save it as UTF-8 without a byte order mark"

    private static func isUTF16(_ bytes: Span<UInt8>) -> Bool {
        let mark = bytes.extracting(first: 2)
        if mark.isSame(as: [0xFF, 0xFE].span) || mark.isSame(as: [0xFE, 0xFF].span) { return true }
        let pairs = bytes.extracting(first: min(bytes.count, 16) / 2 * 2)
        let highBytes = [0, 1].map { start in
            stride(from: start, to: pairs.count, by: 2).allSatisfy { pairs[$0] == 0 }
        }
        return pairs.count > 1 && highBytes[0] != highBytes[1]
    }
}
