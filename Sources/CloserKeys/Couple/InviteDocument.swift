public import CloserPrimitives
internal import CloserWire

/// What one partner gives the other to join: the wrapped couple key, and the phrase that unwraps it under a code.
///
/// - Important: A reader of an invite with its code can read everything of the couple. The whole document is a secret.
@frozen public struct InviteDocument: ~Copyable, Sendable {
    /// Nil where the code goes another way, such as from mouth to ear.
    public let code: InviteCode?
    /// The couple key under the recovery phrase.
    package let wrap: KeyWrap
    /// The recovery phrase under the code.
    package let phrase: InvitedPhrase

    /// Puts an invite together. The parts may belong to different couples: that is unchecked.
    package init(code: consuming InviteCode?, wrap: KeyWrap, phrase: InvitedPhrase) {
        (self.wrap, self.phrase) = (wrap, phrase)
        self.code = code
    }

    /// Parses the JSON document. `code` may be missing.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing document: borrowing SecretBytes) throws(DocumentError) {
        self = try document.withBytes { (bytes) throws(DocumentError) in try Self(bytes) }
    }

    init(_ bytes: Span<UInt8>) throws(DocumentError) {
        let reader = try DocumentReader(bytes, as: .invite)
        // The server removes the phrase from an accepted invite. Then no phone can join with it.
        guard reader.has("recoveryPhrase") else {
            throw .broken([BrokenRule("recoveryPhrase", .present)])
        }
        self.init(
            code: reader.code(in: bytes), wrap: reader.wrap(in: bytes),
            phrase: reader.parsed("recoveryPhrase", in: bytes) { InvitedPhrase($0) })
    }

    /// The same invite for a partner who gets the code another way.
    public borrowing func withoutCode() -> InviteDocument {
        InviteDocument(code: nil, wrap: wrap, phrase: phrase)
    }

    /// The same phrase under another code; nil without its code, which opens the phrase. It blocks for Argon2id, twice.
    ///
    /// - Throws: ``UnwrapError``.
    package borrowing func underAnotherCode() throws(UnwrapError) -> InviteDocument? {
        switch code {
        case .none: return nil
        case .some(let code):
            let opened = try phrase.open(with: code)
            let another = InviteCode.random()
            let renewed: InvitedPhrase
            do { renewed = try InvitedPhrase(opened, under: another) } catch { throw .outOfMemory(error) }
            return InviteDocument(code: another, wrap: wrap, phrase: renewed)
        }
    }

    /// The JSON document, in locked memory for the code's sake.
    public var bytes: SecretBytes {
        // The code has six letters and digits. JSON writes those without escapes, so they need no JSON value, which
        // would put them into a `String`.
        let rest = JSONValue.object(wrap.members + [.init("recoveryPhrase", .string(phrase.text))]).bytes
        return SecretBytes(capacity: rest.count + 32) { output in
            output.append(UInt8(ascii: "{"))
            switch code {
            case .some(let code): code.appendMember(to: &output)
            case .none: break
            }
            output.append(rest.span.extracting(droppingFirst: 1))
        }
    }
}

extension InviteCode {
    fileprivate borrowing func appendMember(to output: inout OutputSpan<UInt8>) {
        output.append(Array("\"code\":\"".utf8))
        text.withBytes { output.append($0) }
        output.append(Array("\",".utf8))
    }
}

extension DocumentReader {
    /// The code, in locked memory.
    fileprivate func code(in bytes: Span<UInt8>) -> InviteCode? {
        switch secret("code", in: bytes) {
        case .some(let text): try? InviteCode(parsing: text)
        case .none: nil
        }
    }
}

extension InviteDocument {
    /// Another owner of the code, if there is one, for a caller that needs the invite afterwards.
    package borrowing func copyOfCode() -> InviteCode? {
        switch code {
        case .some(let code): InviteCode(copying: code)
        case .none: nil
        }
    }
}
