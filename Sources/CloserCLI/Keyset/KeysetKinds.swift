internal import CloserKeys
internal import CloserTink
internal import CloserWire

extension PublicKeyToken {
    /// Parses a token, or says what the text is instead.
    init(reading text: String) throws {
        self = try FileKind.publicKey.read(Array(text.utf8).span) { try PublicKeyToken(parsing: text.utf8) }
    }
}

extension Keyset {
    /// Runs `body` with the keyset. If `body` needs keys of another kind, the error names those that the keyset holds.
    func use<Result>(_ body: (Keyset) throws -> Result) throws -> Result {
        do { return try body(self) } catch KeysetError.wrongKind(let wanted) {
            throw CLIError(wanted, missingIn: self)
        } catch PublicKeyToken.FormatError.keyset(.wrongKind(let wanted)) {
            throw CLIError(wanted, missingIn: self)
        }
    }
}

extension CLIError {
    fileprivate init(_ wanted: Keyset.Kind, missingIn keyset: Keyset) {
        let kinds = keyset.entries.compactMap { $0.material?.kind.words }
        let held = Set(kinds).sorted().joined(separator: " and ")
        self.init(.malformed, "this needs \(wanted.words), and the keyset holds \(held)")
    }
}
