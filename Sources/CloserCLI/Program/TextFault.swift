internal import CloserWire

/// What is wrong with a text of any kind as a whole: how a program saved it.
enum TextFault {
    /// After "this" or "the answer"; nil if the encoding is right.
    static func words(_ bytes: Span<UInt8>) -> String? {
        if bytes.begins(with: [0xEF, 0xBB, 0xBF]) { return "begins with a byte order mark" }
        if isUTF16(bytes) { return "is in UTF-16 instead of UTF-8" }
        return nil
    }

    static let hint = "save it as UTF-8 without a byte order mark"

    private static func isUTF16(_ bytes: Span<UInt8>) -> Bool {
        if bytes.begins(with: [0xFF, 0xFE]) || bytes.begins(with: [0xFE, 0xFF]) { return true }
        let pairs = bytes.extracting(first: min(bytes.count, 16) / 2 * 2)
        let highBytes = [0, 1].map { start in
            stride(from: start, to: pairs.count, by: 2).allSatisfy { pairs[$0] == 0 }
        }
        return pairs.count > 1 && highBytes[0] != highBytes[1]
    }
}

extension Span<UInt8> {
    func begins(with other: [UInt8]) -> Bool {
        count >= other.count && other.indices.allSatisfy { self[$0] == other[$0] }
    }
}
