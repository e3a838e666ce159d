internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

// A recovery phrase on the terminal. The words are numbered, so that a skipped or swapped one shows when they are copied by hand.

extension RecoveryPhrase {
    /// Two columns fit 40 characters, the narrowest window that a person may have. A number takes four, and the longest
    /// word of the list twelve.
    private static let columnWidth = 20

    /// Shows the phrase and waits for Enter. Where the terminal can, it is erased then, or when the program is interrupted, which then
    /// says what `interruption` says. Nothing is changed for a phrase that the vault keeps.
    borrowing func showUntilWritten(
        on terminal: borrowing Terminal, isKept: Bool, _ interruption: Interruption? = nil,
        after change: () throws -> Void = {}
    ) throws {
        try page(isKept: isKept).withBytes { page in
            try terminal.erasing(page) { show in
                try ProcessEnd.waiting {
                    try change()
                    Exit.say(interruption)
                    do { try show() } catch {
                        throw interruption.map { CLIError(phraseNotShown: error, hint: $0.hint) } ?? error
                    }
                }
                try terminal.waitForEnter("press Enter when it is on paper")
                Exit.say(nil)
            }
        }
    }

    /// The first half of the words on the left.
    private borrowing func page(isKept: Bool) -> SecretBytes {
        text.withBytes { text in
            let words = text.indices.split { text[$0] == UInt8(ascii: " ") }
            let rowCount = (words.count + 1) / 2
            // Each word has a number and fills a column, or is longer.
            return SecretBytes(capacity: 64 + words.count * (Self.columnWidth + 8) + text.count) { page in
                page.append(isKept ? "recovery phrase:\n\n" : "recovery phrase, shown this once:\n\n")
                for row in 0..<rowCount {
                    let left = words[row]
                    page.append(Self.number(row + 1))
                    page.append(text.extracting(left))
                    if row + rowCount < words.count {
                        page.append(
                            String(repeating: " ", count: max(1, Self.columnWidth - 4 - left.count)))
                        page.append(Self.number(row + rowCount + 1))
                        page.append(text.extracting(words[row + rowCount]))
                    }
                    page.append("\n")
                }
                page.append("\n")
            }
        }
    }

    private static func number(_ number: Int) -> String { number < 10 ? "  \(number) " : " \(number) " }
}

extension Terminal {
    func waitForEnter(_ question: String) throws {
        _ = try SecretBytes(capacity: 256) { typed in
            do { _ = try ask(question, into: &typed) } catch FileError.tooLarge {}
        }
    }
}

extension OutputSpan where Element == UInt8 {
    /// Appends a public text.
    mutating func append(_ text: String) { for byte in text.utf8 { append(byte) } }
}
