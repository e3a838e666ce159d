#if CommandLine
internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem

// A new recovery phrase on the terminal. The words are numbered, so that nobody skips or swaps one when copying them by hand.

extension RecoveryPhrase {
    /// Two columns fit 40 characters, the narrowest window that a person may have. A number takes four, and the longest
    /// word of the list twelve.
    private static let columnWidth = 20

    /// Shows the phrase and waits for Enter. Where the terminal can, the screen is erased then, or when the program is
    /// interrupted.
    borrowing func showUntilWritten(
        on terminal: borrowing Terminal, after change: () throws -> Void
    ) throws {
        try terminal.erasingAfterwards {
            try ProcessEnd.waiting {
                try change()
                do { try showNumbered(on: terminal) } catch { throw CLIError(phraseNotShown: error) }
            }
            _ = try SecretBytes(capacity: 256) { typed in
                do { _ = try terminal.ask("press Enter when it is on paper", into: &typed) } catch FileError
                    .tooLarge
                {}
            }
        }
    }

    /// The first half of the words on the left. The words are not copied.
    private borrowing func showNumbered(on terminal: borrowing Terminal) throws {
        try terminal.show("recovery phrase, shown this once:\n\n")
        try text.withBytes { text in
            let words = text.indices.split { text[$0] == UInt8(ascii: " ") }
            let rowCount = (words.count + 1) / 2
            for row in 0..<rowCount {
                let left = words[row]
                try terminal.show(Self.number(row + 1))
                try terminal.show(text.extracting(left))
                if row + rowCount < words.count {
                    try terminal.show(
                        String(repeating: " ", count: max(1, Self.columnWidth - 4 - left.count)))
                    try terminal.show(Self.number(row + rowCount + 1))
                    try terminal.show(text.extracting(words[row + rowCount]))
                }
                try terminal.show("\n")
            }
        }
        try terminal.show("\n")
    }

    private static func number(_ number: Int) -> String { number < 10 ? "  \(number) " : " \(number) " }
}
#endif
