public import CloserPrimitives
internal import CloserWire

/// Reads and seals a couple's texts while they come to be sealed, and afterwards: what the server stores is a token or plaintext.
///
/// A text that begins with `enc:` is a token and nothing else. Any other one is plaintext, which is read only as long as this device
/// has not seen the couple at version 2 (docs/threat-model.md#w9).
///
/// - Important: Below version 2 a server can make plaintext up.
public struct FieldReader: Sendable {
    /// What a text was.
    public enum Text: Equatable, Sendable {
        /// A token that opened: its plaintext, and what proves that.
        case sealed([UInt8], FieldReader.Proof)
        /// Plaintext: the server may have written it.
        case plaintext([UInt8])
    }

    /// What opens the tokens.
    public let key: FieldKey
    /// How far the couple has come.
    public let migration: Migration

    /// Reads the texts of a couple that has come so far.
    public init(_ key: FieldKey, in migration: Migration) { (self.key, self.migration) = (key, migration) }

    /// One for a couple whose version is unknown, as with a keyset file. It may have texts in the clear: they are sealed, and not read.
    package init(_ key: FieldKey) { self.init(key, in: Migration(pin: .strict, migrated: [])) }

    /// Reads a text of the couple, UTF-8. At a place, a token must be bound to it: `enc:v2:`.
    ///
    /// `allowingUnbound` reads an `enc:v1:` token at a place, too, and ``FieldReader/Proof/isBound`` is false then: the server may have moved
    /// it there (docs/threat-model.md#w11).
    ///
    /// - Throws: `.plaintext` at version 2; `.token`; `.opening`; `.serverKnown` if a private key is required, and the text is plaintext
    ///   or under another key.
    public func read(
        _ text: some Collection<UInt8>, place: FieldPlace? = nil, allowingUnbound: Bool = false
    ) throws(FieldError) -> Text {
        var (box, plaintext): ([UInt8], [UInt8]) = ([], [])
        let proof = try read(
            Array(text).span, at: place, allowingUnbound: allowingUnbound, through: &box, into: &plaintext)
        return proof.map { .sealed(plaintext, $0) } ?? .plaintext(plaintext)
    }

    /// Seals a text of the server's, UTF-8, for the place if there is one. A token that opens comes back unchanged, so a migration
    /// that was stopped begins again with the first text.
    ///
    /// Plaintext is sealed while ``Migration/sealsPlaintext`` is true. The server may have written it, so ``FieldKey/Requirement/rekeyed``
    /// refuses it. At a place, a token that lacks one is refused. `trustingOld` seals all of these: with it, the caller vouches for
    /// having stored the text, and for its place.
    ///
    /// - Throws: What ``read(_:place:allowingUnbound:)`` throws for a token. For plaintext `.plaintext`, `.serverForgeable`,
    ///   `.serverKnown`, and `.plaintextTooLarge`.
    public func migrated(
        _ text: some Collection<UInt8>, place: FieldPlace? = nil, trustingOld: Bool = false,
        from randomness: Randomness = .system
    ) throws(FieldError) -> FieldToken {
        let text = Array(text)
        let source = FieldSource(openedUnder: nil, isTrusted: trustingOld)
        var (box, opened): ([UInt8], [UInt8]) = ([], [])
        let token = try [UInt8](capacity: key.tokenCount(text.count, at: place)) {
            (output) throws(FieldError) in
            _ = try migrate(
                text.span, at: place, of: source, from: randomness, through: &box, &opened, into: &output)
        }
        do { return try FieldToken(parsing: token) } catch { throw .token(error) }
    }
}

extension FieldReader {
    /// What is known of an opened token.
    public struct Proof: Equatable, Sendable {
        /// The id of the key that opened it.
        public let keyID: UInt32
        /// How that key came to this device; nil if that is unknown.
        public let origin: KeyOrigin?
        /// Whether the token is bound to the place where it was found; nil if no place was named. If it is not, the server may have moved it
        /// there.
        public let isBound: Bool?

        package init(keyID: UInt32, origin: KeyOrigin?, isBound: Bool?) {
            (self.keyID, self.origin, self.isBound) = (keyID, origin, isBound)
        }
    }
}

// MARK: - Many texts

// For a batch, which uses the same memory for every text.

extension FieldReader {
    package func forThread() -> FieldReader { FieldReader(key.forThread(), in: migration) }

    /// Reads a text and appends its plaintext; nil for what was plaintext already, if `isMixed` says that there may be some.
    package func read(
        _ text: Span<UInt8>, at place: FieldPlace?, allowingUnbound: Bool, isMixed: Bool = true,
        through box: inout [UInt8], into plaintext: inout [UInt8]
    ) throws(FieldError) -> FieldReader.Proof? {
        guard isMixed, !FieldToken.mayBegin(text) else {
            return try key.open(
                text, at: place, allowingUnbound: allowingUnbound, through: &box, into: &plaintext)
        }
        guard migration.readsPlaintext else { throw .plaintext }
        guard key.requirement == .none else { throw .serverKnown }
        plaintext.append(addingCapacity: text.count) { $0.append(text) }
        return nil
    }

    /// Appends the token that a text of the server's becomes, or is. False if it is one, which passes unchanged.
    ///
    /// A plaintext counts as written by the server if its source names no key.
    package func migrate(
        _ text: Span<UInt8>, at place: FieldPlace?, of source: FieldSource, from randomness: Randomness,
        through box: inout [UInt8], _ opened: inout [UInt8], into token: inout OutputSpan<UInt8>
    ) throws(FieldError) -> Bool {
        guard FieldToken.mayBegin(text) else {
            guard migration.sealsPlaintext || source.isTrusted else { throw .plaintext }
            let source = FieldSource(
                openedUnder: source.key ?? .invite, isUnbound: source.isUnbound, isTrusted: source.isTrusted)
            try key.seal(text, at: place, of: source, from: randomness, through: &box, into: &token)
            return true
        }
        opened.removeAll(keepingCapacity: true)
        let proof = try key.open(
            text, at: place, allowingUnbound: source.isTrusted, through: &box, into: &opened)
        guard proof.isBound == false else {
            token.append(text)
            return false
        }
        let source = FieldSource(openedUnder: proof.origin, isUnbound: true, isTrusted: source.isTrusted)
        try key.seal(opened.span, at: place, of: source, from: randomness, through: &box, into: &token)
        return true
    }
}
