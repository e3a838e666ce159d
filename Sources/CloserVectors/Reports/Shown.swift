internal import CloserWire

/// Makes texts that come from a file or an adapter fit to be shown.
package enum Shown {
    /// How many characters of a value a person is shown to compare.
    private static let maximumCount = 160
    /// How many characters are quoted of a line that is something else than an answer.
    private static let maximumBeginningCount = 60

    /// One line of at most 160 characters, and how many bytes the text has if that is not all of it.
    package static func short(_ text: String) -> String { short(text) { _ in nil } }

    /// A text with some scalars replaced. It goes by scalars, since a combining mark would hide the one before it.
    static func short(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        let shown = String(text.unicodeScalars.prefix(maximumCount))
        let line = shown.plainLine.unicodeScalars.map { replacement($0) ?? String($0) }.joined()
        guard shown.utf8.count < text.utf8.count else { return line }
        return line + "… (\(text.utf8.count) bytes)"
    }

    /// The beginning of a line of any bytes, enough to recognise it.
    package static func beginning(of line: [UInt8]) -> String {
        // No scalar has more than four bytes, so this prefix has at least as many scalars as are shown.
        let text = String(decoding: line.prefix(4 * maximumBeginningCount), as: UTF8.self).plainLine
        let shown = String(text.unicodeScalars.prefix(maximumBeginningCount))
        return shown.utf8.count < text.utf8.count || line.count > 4 * maximumBeginningCount
            ? shown + "…" : shown
    }
}
