/// What a result is, for what may be done with it.
enum Nature {
    /// A token, or text of ours: one line.
    case line
    /// A plaintext: given back as it was, refused on a terminal if it is binary.
    case verbatim
    /// A JSON document of ours: one line, and itself within our JSON.
    case json
    /// A payload: JSON in canonical form, given back as it is.
    case payload
    /// A ciphertext in bytes.
    case binary
    /// A key, or what a keybox held: never on a terminal, never in our JSON.
    case secret
    /// The same as one line of text.
    case secretLine

    var endsWithNewline: Bool { [.line, .json, .secretLine].contains(self) }
    var isSecret: Bool { self == .secret || self == .secretLine }
    /// Whether a terminal gets it with `-o -` only, whatever is in it.
    var isNeverShown: Bool { isSecret || self == .binary }
}
