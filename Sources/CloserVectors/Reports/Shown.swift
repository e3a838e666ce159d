internal import CloserWire

/// Texts of a file or of a foreign program, as they may be shown.
package enum Shown {
    /// A value for a person to compare: beyond this, its end is left out.
    private static let maximumCount = 160
    /// Of a line that is quoted behind words of ours.
    private static let maximumBeginningCount = 60

    /// One line of a bounded length.
    package static func short(_ text: String) -> String { short(text) { _ in nil } }

    /// The same, with other texts for some scalars. Not for characters: a combining mark would hide what is in front of it.
    static func short(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        let shown = String(text.unicodeScalars.prefix(maximumCount))
        let line = shown.plainLine.unicodeScalars.map { replacement($0) ?? String($0) }.joined()
        guard shown.utf8.count < text.utf8.count else { return line }
        return line + "… (\(text.utf8.count) bytes)"
    }

    /// How a line begins, whatever bytes it has: enough to know it again.
    package static func beginning(of line: [UInt8]) -> String {
        // No scalar has more than four bytes, so this prefix has all that are shown.
        let text = String(decoding: line.prefix(4 * maximumBeginningCount), as: UTF8.self).plainLine
        let shown = String(text.unicodeScalars.prefix(maximumBeginningCount))
        return shown.utf8.count < text.utf8.count || line.count > 4 * maximumBeginningCount
            ? shown + "…" : shown
    }
}
