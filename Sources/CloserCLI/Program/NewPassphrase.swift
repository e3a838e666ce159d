internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

// What a passphrase must be that is about to protect something. One that protects a vault or an export already opens it unchecked.

/// What a new passphrase protects, and so what becomes of a short one.
enum NewPassphraseUse {
    /// A file that lies on this machine: a short one is warned of.
    case vault
    /// A file that is made to be sent or stored elsewhere, where guesses are uncounted: a short one is refused.
    case export

    /// Counted in Unicode scalars: 12 letters drawn at random have 56 bits.
    static let leastCharacterCount = 12
    /// 40 bits, which are as hard to guess as eight letters and digits drawn at random.
    static let drawnWordCount = 5
}

extension Inputs {
    /// A new one. A person must type it twice, and with Enter alone gets words that are drawn, as by age.
    mutating func newPassphrase(
        _ source: SecretSource, _ prompt: String, for use: NewPassphraseUse
    ) throws -> SecretBytes {
        if source.asks, source.mayAsk {
            Self.tell("Enter alone draws a passphrase of \(NewPassphraseUse.drawnWordCount) words")
        }
        return try retrying(source) { inputs in
            let typed = try inputs.passphrase(source, "new \(prompt)")
            if source.asks, typed.count == 0 { return try inputs.drawnPassphrase(source) }
            try Self.check(typed, prompt, for: use)
            if source.asks { try inputs.askAgain(source, for: typed) }
            return typed
        }
    }

    private static func check(
        _ typed: borrowing SecretBytes, _ prompt: String, for use: NewPassphraseUse
    ) throws {
        let least = NewPassphraseUse.leastCharacterCount
        if typed.beginsWithByteOrderMark {
            throw Slip(
                CLIError(
                    .malformed, "the \(prompt) begins with a byte order mark, which no keyboard types",
                    hint: "save the file as plain UTF-8"))
        }
        if typed.holdsNUL {
            throw Slip(
                CLIError(
                    .malformed, "the \(prompt) holds a NUL, which no keyboard types",
                    hint: "a passphrase is text: write random bytes in hexadecimal or base64"))
        }
        guard typed.count > 0, typed.characterCount < least else { return }
        guard use == .vault else {
            throw Slip(
                CLIError(
                    .malformed, "the \(prompt) has fewer than \(least) characters",
                    hint: "leave it out and press Enter at the prompt: that draws one of five words"))
        }
        Diagnostics.alarm(
            "the \(prompt) has fewer than \(least) characters, and can be guessed from a copy of the vault: closer-keys device passphrase sets another"
        )
    }

    /// Words that only the terminal shows, until they have been typed.
    private mutating func drawnPassphrase(_ source: SecretSource) throws -> SecretBytes {
        let drawn = RecoveryPhrase.words(NewPassphraseUse.drawnWordCount)
        guard let terminal = Terminal.open() else { preconditionFailure("it was typed on a terminal") }
        let page = SecretBytes(capacity: 64 + drawn.count) { page in
            page.append("the passphrase, shown this once: ")
            drawn.withBytes { page.append($0) }
            page.append("\n")
        }
        try page.withBytes { page in
            try terminal.erasing(page) { show in
                try show()
                try askAgain(source, for: drawn)
            }
        }
        return drawn
    }

    private mutating func askAgain(_ source: SecretSource, for first: borrowing SecretBytes) throws {
        let mismatch = "the two differ"
        guard try ask(source, "the same again").isEqual(to: first) else {
            throw Slip(CLIError(.inputRequired, mismatch))
        }
    }
}

extension SecretBytes {
    /// The marks of UTF-8 and of UTF-16, which a program of Windows may write where a file of text is meant.
    fileprivate var beginsWithByteOrderMark: Bool {
        withBytes { bytes in
            [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]].contains { (mark: [UInt8]) in
                mark.count <= bytes.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
            }
        }
    }

    fileprivate var holdsNUL: Bool { withBytes { bytes in bytes.indices.contains { bytes[$0] == 0 } } }

    /// Counts the bytes that begin a character of UTF-8.
    fileprivate var characterCount: Int {
        withBytes { bytes in bytes.indices.count { bytes[$0] & 0xC0 != 0x80 } }
    }

    /// Whether it has a letter that may be typed as other bytes elsewhere: composed or decomposed.
    var isASCII: Bool { withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] < 0x80 } } }
}
