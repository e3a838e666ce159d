package import CloserPrimitives
internal import CloserTink
package import CloserWire

/// The content of an answer: one JSON object in canonical form (closer-keys-formats(7), SEALED ANSWERS, Payload).
///
/// A *hardened* payload has four members more, which the apps ignore: a blinding, the place, padding and a MAC. A
/// *compat* payload is the app's object alone. Then the commitment can be found by trying likely answers
/// (docs/threat-model.md#w2), the length tells which option was chosen (W21), and its author is unproven (W5).
package struct AnswerPayload: Equatable, Sendable {
    /// The object in canonical form, UTF-8.
    package let bytes: [UInt8]

    /// 64 KiB, padding included.
    package static let maximumByteCount = 64 * 1024
    /// With fewer bytes the token would miss the 80 characters that the server's rules demand.
    package static let minimumByteCount = 27
    /// A hardened payload's length is a multiple of this.
    static let paddingBlock = 256

    /// The app's object alone.
    ///
    /// - Throws: ``AnswerPayloadError``.
    package init(compat answer: some Collection<UInt8>) throws(AnswerPayloadError) {
        let bytes = JSONValue.object(try Self.members(of: answer)).canonicalBytes
        guard bytes.count >= Self.minimumByteCount else { throw .tooShort }
        try self.init(canonical: bytes)
    }

    /// The app's object with our four members, bound to its couple, question, author and place under the couple key.
    ///
    /// - Throws: ``AnswerPayloadError``, but never `.tooShort`.
    package init(
        hardened answer: some Collection<UInt8>, of context: AnswerContext, at place: AnswerPlace,
        key: CoupleKey, from randomness: Randomness = .system
    ) throws(AnswerPayloadError) {
        var members = try Self.members(of: answer)
        members.append(.init(Member.blinding, .string(Base64.url.encode(randomness.bytes(32)))))
        members.append(.init(Member.place, .string(place.text)))
        members.append(.init(Member.padding, .string(Self.padding(for: members))))
        let mac = AnswerMAC(members, context).tag(under: key.primaryKey)
        members.append(.init(Member.mac, .string(Base64.url.encode(mac))))
        try self.init(canonical: JSONValue.object(members).canonicalBytes)
    }

    /// The app's own object in a payload, in canonical form: what was given to be sealed, without the four members of the hardened form.
    ///
    /// It checks nothing else. For an answer that was checked, see ``RevealedAnswer/answer``.
    ///
    /// - Throws: ``AnswerPayloadError/malformed(_:)``.
    package static func answer(in payload: some Collection<UInt8>) throws(AnswerPayloadError) -> [UInt8] {
        let members: [JSONValue.Member]
        do { members = try JSONValue.members(of: payload) } catch { throw .malformed(error) }
        return JSONValue.object(members.filter { !Member.all.contains($0.name) }).canonicalBytes
    }

    private init(canonical bytes: [UInt8]) throws(AnswerPayloadError) {
        guard bytes.count <= Self.maximumByteCount else { throw .tooLarge }
        self.bytes = bytes
    }

    /// The names of the four members that we add: blinding, context (the place), padding, MAC.
    enum Member {
        static let (blinding, place, padding, mac) = ("_b", "_c", "_p", "_m")
        static let all = [blinding, place, padding, mac]
    }

    /// The members of the app's object, none of which may have a name of ours.
    private static func members(of answer: some Collection<UInt8>) throws(AnswerPayloadError) -> [JSONValue
        .Member]
    {
        guard answer.count <= maximumByteCount else { throw .tooLarge }
        let members: [JSONValue.Member]
        do { members = try JSONValue.members(of: answer) } catch { throw .malformed(error) }
        guard !members.contains(where: { $0.name.utf8.first == UInt8(ascii: "_") }) else {
            throw .reservedName
        }
        return members
    }

    /// Zeros that fill the canonical form, with `_p` and a 43-character `_m`, up to a multiple of 256.
    private static func padding(for members: [JSONValue.Member]) -> String {
        let mac = String(repeating: "A", count: 43)
        let whole = members + [.init(Member.padding, ""), .init(Member.mac, .string(mac))]
        let count = JSONValue.object(whole).canonicalBytes.count
        return String(repeating: "0", count: (paddingBlock - count % paddingBlock) % paddingBlock)
    }
}

/// Why a payload is refused.
public enum AnswerPayloadError: Error, Equatable, Sendable {
    /// It is not one object in strict JSON.
    case malformed(JSONFault)
    /// A name of the object begins with `_`: such names are ours.
    case reservedName
    /// More than 64 KiB.
    case tooLarge
    /// Fewer than 27 bytes, which happens to a compat payload alone.
    case tooShort
}

/// The proof that the couple key was used to write a payload, for one couple, question and author.
///
/// A one-time key and a commitment lack such a proof: public keys are enough to make both.
struct AnswerMAC {
    private let message: [UInt8]
    private let couple: CoupleID

    /// Over `members` without `_m`, padding included. The members are written in canonical form and hashed once.
    init(_ members: [JSONValue.Member], _ context: AnswerContext) {
        let rest = members.filter { $0.name != AnswerPayload.Member.mac }
        let canonical = JSONValue.object(rest).canonicalBytes
        message = [UInt8](lengthPrefixed: [
            Array("closer-keys/v1/sealed".utf8), context.couple.bytes, context.question.bytes,
            context.author.bytes, SHA256.hash(canonical.span),
        ])
        couple = context.couple
    }

    /// The tag, 32 bytes.
    func tag(under key: AESGCMKey) -> [UInt8] {
        HMACSHA256.tag(of: message.span, key: CoupleKey.subkey(.sealedMAC, of: key, couple: couple))
    }

    /// Whether `tag` is the right one under `key`, compared in constant time.
    func isValid(_ tag: [UInt8], under key: AESGCMKey) -> Bool {
        let subkey = CoupleKey.subkey(.sealedMAC, of: key, couple: couple)
        return HMACSHA256.isValid(tag.span, of: message.span, key: subkey)
    }
}

extension AnswerPayloadError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .malformed(let fault): fault.words(of: "the answer")
        case .reservedName: ErrorWords(.malformed, "names that begin with _ are reserved")
        case .tooLarge: ErrorWords(.limit, "an answer has at most 65536 bytes")
        case .tooShort:
            ErrorWords(
                .malformed, "in the compat profile an answer has at least 27 bytes in canonical form",
                "use the hardened profile, which pads", typing: "--profile hardened")
        }
    }
}
