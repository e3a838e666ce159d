public import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// The content of an answer: one JSON object in canonical form (formats §5).
///
/// `hardened` adds four members that the app ignores: a blinding, the place, padding and a MAC (security §3.1).
/// `compat` is the app's object and nothing else: its commitment can be guessed by trying likely answers, and
/// its length tells which was chosen.
public struct AnswerPayload: Equatable, Sendable {
    /// UTF-8, in canonical form.
    public let bytes: [UInt8]

    /// After padding: 64 KiB.
    public static let maximumByteCount = 64 * 1024
    /// Below, the token would miss the 80 characters that the server's rules demand.
    public static let minimumByteCount = 27
    /// A hardened payload's length is a multiple of this.
    static let paddingBlock = 256

    /// Why an answer is no payload.
    public enum FormatError: Error, Equatable, Sendable {
        /// Not strict JSON, or not an object.
        case malformed
        /// A name that begins with `_`.
        case reservedName
        case tooLarge
        /// Below ``minimumByteCount``; only `compat` can be.
        case tooShort
    }

    /// The app's object and nothing else.
    public init(compat answer: some Collection<UInt8>) throws(FormatError) {
        let bytes = JSONValue.object(try Self.members(of: answer)).canonicalBytes
        guard bytes.count >= Self.minimumByteCount else { throw .tooShort }
        try self.init(canonical: bytes)
    }

    /// The app's object, bound to its couple, question, author and place under the couple key.
    public init(
        hardened answer: some Collection<UInt8>, of context: AnswerContext, at place: AnswerPlace,
        key: CoupleKey, from randomness: Randomness = .system
    ) throws(FormatError) {
        var members = try Self.members(of: answer)
        members.append(.init(Member.blinding, .string(Base64.url.encode(randomness.bytes(32)))))
        members.append(.init(Member.place, .string(place.text)))
        members.append(.init(Member.padding, .string(Self.padding(for: members))))
        let mac = AnswerMAC(members, context).tag(under: key.primaryKey)
        members.append(.init(Member.mac, .string(Base64.url.encode(mac))))
        try self.init(canonical: JSONValue.object(members).canonicalBytes)
    }

    private init(canonical bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.maximumByteCount else { throw .tooLarge }
        self.bytes = bytes
    }

    /// The four that we add.
    enum Member {
        static let (blinding, place, padding, mac) = ("_b", "_c", "_p", "_m")
        static let all = [blinding, place, padding, mac]
    }

    private static func members(of answer: some Collection<UInt8>) throws(FormatError) -> [JSONValue.Member] {
        guard answer.count <= maximumByteCount else { throw .tooLarge }
        guard let members = (try? JSONValue(parsing: answer))?.members else { throw .malformed }
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

/// The proof that somebody with the couple key wrote a payload, for one couple, question and author (security §3.1).
struct AnswerMAC {
    private let message: [UInt8]
    private let couple: Identifier

    /// Over `members` without `_m`, padding included.
    init(_ members: [JSONValue.Member], _ context: AnswerContext) {
        let rest = members.filter { $0.name != AnswerPayload.Member.mac }
        let canonical = JSONValue.object(rest).canonicalBytes
        message = [UInt8](lengthPrefixed: [
            Array("closer-keys/v1/sealed".utf8), context.couple.bytes, context.question.bytes,
            context.author.bytes, SHA256.hash(canonical.span),
        ])
        couple = context.couple
    }

    /// 32 bytes.
    func tag(under key: AESGCMKey) -> [UInt8] {
        HMACSHA256.tag(of: message.span, key: CoupleKey.subkey(.sealedMAC, of: key, couple: couple))
    }

    /// Compared in constant time.
    func isValid(_ tag: [UInt8], under key: AESGCMKey) -> Bool {
        let subkey = CoupleKey.subkey(.sealedMAC, of: key, couple: couple)
        return HMACSHA256.isValid(tag.span, of: message.span, key: subkey)
    }
}
