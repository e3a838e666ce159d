internal import CloserWire

/// An encrypted field as text: `enc:v1:` or `enc:v2:`, and the standard base64 of a Tink AEAD ciphertext (closer-keys-formats(7), FIELDS).
///
/// It has exactly one spelling, so equal bytes have equal text. A token is text: keys open it.
///
/// - Important: Do not compare tokens: the same plaintext sealed twice gives two.
public struct FieldToken: Equatable, Sendable {
    /// What a field is bound to.
    public enum Form: CaseIterable, Equatable, Sendable {
        /// Its couple alone: `enc:v1:`.
        case couple
        /// Its couple and a ``FieldPlace``: `enc:v2:`.
        case place
    }

    /// What the field is bound to.
    public let form: Form
    /// The Tink AEAD ciphertext: 33 bytes more than the plaintext.
    public let ciphertext: [UInt8]
    /// The token, in ASCII.
    public let text: [UInt8]

    /// Takes a token of either form in its only accepted spelling, in ASCII, without white space.
    ///
    /// - Throws: ``TokenError``.
    public init(parsing text: some Collection<UInt8>) throws(TokenError) {
        let text = Array(text)
        form = try Form(of: text.span)
        ciphertext = try form.format.payload(of: text)
        self.text = text
    }

    /// Writes a ciphertext as a token.
    ///
    /// - Throws: `.malformed` if there are no bytes.
    public init(_ ciphertext: [UInt8], _ form: Form) throws(TokenError) {
        text = try form.format.text(of: ciphertext.span)
        (self.form, self.ciphertext) = (form, ciphertext)
    }

    /// Whether a text begins with `enc:`, as the tokens of every version do.
    package static func mayBegin(_ text: Span<UInt8>) -> Bool {
        text.extracting(first: beginning.count).isSame(as: beginning.span)
    }

    private static let beginning = Array("enc:".utf8)
}

extension FieldToken: CustomStringConvertible {
    /// Takes a token of either form in its only accepted spelling, without white space.
    ///
    /// - Throws: ``TokenError``.
    public init(parsing text: String) throws(TokenError) { try self.init(parsing: text.utf8) }

    /// The token's text.
    public var description: String { String(decoding: text, as: UTF8.self) }
}

extension FieldToken.Form {
    /// The form of the token that a text begins as.
    init(of text: Span<UInt8>) throws(TokenError) {
        for form in Self.allCases where form.format.begins(text) {
            self = form
            return
        }
        throw TokenFormat.field.refusal(of: Array(copying: text), orOf: [.placedField])
    }

    /// The form of a field that is sealed for `place`, or for its couple alone.
    init(for place: FieldPlace?) { self = place == nil ? .couple : .place }

    package var format: TokenFormat {
        switch self {
        case .couple: .field
        case .place: .placedField
        }
    }

    package var isBound: Bool {
        switch self {
        case .couple: false
        case .place: true
        }
    }

    /// What binds a token of this form that was found at `place`: the place, or nil for the couple alone.
    ///
    /// A token without a place is refused at one unless `allowingUnbound`: the server may have moved it there (docs/threat-model.md#w11).
    ///
    /// - Throws: `.unbound`, and `.placed` for a token that has a place where none is named.
    func binding(at place: FieldPlace?, allowingUnbound: Bool = false) throws(TokenError) -> FieldPlace? {
        switch (self, place) {
        case (.couple, .some) where !allowingUnbound: throw .unbound
        case (.couple, _): return nil
        case (.place, .some): return place
        case (.place, .none): throw .placed
        }
    }
}
