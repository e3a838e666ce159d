internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// A guess at what some bytes are, by their beginnings and names. Each is something that closer-keys writes or reads.
///
/// With it, an error can say that the wrong file was named. Secrets stay where they are.
struct FileKind: Equatable {
    let name: String
    /// The name with its article.
    let words: String
    let certainty: Certainty
    /// The kind that `closer-keys check --kind` takes for this document; nil for what is no document.
    private(set) var document: DocumentKind?
    /// What makes of it what closer-keys reads.
    private(set) var remedy: String?

    /// How much the bytes say of what they are.
    enum Certainty: String {
        /// They begin with a name of ours, or have the outer form.
        case claims = "claims to be one"
        /// They have the names or the words of one.
        case looks = "looks like one"
        /// Many other things look the same.
        case may = "may be one"
    }

    private init(_ name: String, _ certainty: Certainty, _ words: String? = nil, remedy: String? = nil) {
        (self.name, self.certainty, self.remedy) = (name, certainty, remedy)
        self.words = words ?? "a \(name)"
    }

    static let field = Self("field", .claims, "a field token")
    static let sealedAnswer = Self("sealed answer", .claims)
    static let keybox = Self("keybox", .claims)
    static let publicKey = Self("public key", .claims)
    static let commitment = Self("commitment", .claims)
    static let chatToken = Self("chat message", .claims)
    static let linkToken = Self("link token", .claims)
    static let link = Self("link", .looks, "a link to another device")
    static let keyset = Self("keyset", .claims)
    static let vault = Self("vault or export", .claims)
    static let firestore = Self(
        "Firestore document", .looks, "a document in Firestore's REST form",
        remedy: "take its values out: \(conversionFromFirestore)")
    static let encryptedKeyset = Self(
        "encrypted keyset", .looks, "an encrypted keyset", remedy: KeysetError.encrypted.words.hint)
    static let base64Keyset = Self(
        "base64 of a keyset", .looks, "base64 of a keyset", remedy: "decode it first: base64 -d FILE > NEW")
    static let hexKeyset = Self(
        "hex of a keyset", .looks, "hex of a keyset", remedy: "decode it first: xxd -r -p FILE > NEW")
    static let wrappedX25519Key = Self(
        "X25519 key in DER", .looks, "an X25519 key in SPKI or PKCS #8",
        remedy: "take its last 32 bytes: base64 -d FILE | tail -c 32 | base64")
    static let vectors = Self("file of vectors", .looks)
    static let png = Self("PNG picture", .looks)
    static let svg = Self("SVG picture", .looks, "an SVG picture")
    static let phrase = Self("recovery phrase", .looks)
    static let safetyNumber = Self("safety number", .looks)
    static let fondField = Self("Fond field", .may)
    static let key = Self("X25519 key", .may, "an X25519 key")
    static let keyFile = Self("key file", .may)

    static func document(_ kind: DocumentKind) -> FileKind {
        var found =
            switch kind {
            case .couple: Self("couple document", .looks, "a couple's document")
            case .invite: Self("invite", .looks, "an invite")
            case .answer: Self("answer document", .looks, "an answer's document")
            case .releaseKey: Self("release", .looks)
            case .rekey: Self("rekey", .looks)
            case .device: Self("device document", .looks, "a device's document")
            case .pairOffer: Self("pairing's offer", .looks)
            case .pairReply: Self("pairing's reply", .looks)
            case .pairGrant: Self("pairing's grant", .looks)
            case .gameSlot: Self("game slot", .looks)
            case .chatMessage: Self("chat message's document", .looks)
            case .chatKey: Self("chat key", .looks)
            case .fitLinkMessage: Self("FitLink message", .looks)
            case .fitLinkUser: Self("FitLink user's document", .looks)
            case .fondUser: Self("Fond user's document", .looks)
            case .legacyAnswer: Self("legacy answer", .looks)
            }
        found.document = kind
        return found
    }

    var isToken: Bool {
        [.field, .sealedAnswer, .keybox, .publicKey, .commitment, .linkToken, .chatToken].contains(self)
    }
}

// MARK: - Instead of what was wanted

extension CLIError {
    /// Nil if the bytes may be what is wanted, or are of an unknown kind.
    init?(_ bytes: Span<UInt8>, insteadOf wanted: FileKind) {
        guard let found = FileKind(bytes, wanted: wanted), found != wanted, found.certainty != .may else {
            return nil
        }
        let remedy = found == .firestore || [.keyset, .key].contains(wanted) ? found.remedy : nil
        self.init(
            .malformed, "this is \(found.words), not \(wanted.words)",
            hint: remedy ?? "closer-keys inspect says what a file looks like")
    }
}

extension FileKind {
    /// Runs `parse`. If it fails and the bytes look like something else, the error says so.
    func read<Value: ~Copyable>(_ bytes: Span<UInt8>, _ parse: () throws -> Value) throws -> Value {
        do { return try parse() } catch let error as KeysetError where error.isOfNearKeyset {
            throw CLIError(error)
        } catch {
            throw CLIError(bytes, insteadOf: self) ?? CLIError(error)
        }
    }
}

// MARK: - Bytes

extension FileKind {
    /// Nil for an unknown kind. Of several kinds that the bytes may be, `wanted` is preferred.
    init?(_ bytes: Span<UInt8>, wanted: FileKind? = nil) {
        let text = bytes.extracting(Inputs.textRange(of: bytes))
        let isObject = text.first == UInt8(ascii: "{")
        let names = isObject ? DocumentKind.names(in: text, among: Self.objectNames) : []
        let document = DocumentKind(wanted: wanted?.document, having: names.contains)
        let isOther = document == nil || wanted.map { $0.document == nil } ?? false
        let objects = isObject && isOther ? Self.objects(names, text) : []
        if let wanted, objects.contains(wanted) {
            self = wanted
        } else if let found = document.map(Self.document) ?? objects.first ?? Self.beginning(of: bytes, text)
            ?? Self.whole(bytes, text)
        {
            self = found
        } else if bytes.count == 32 {
            self = .keyFile
        } else {
            return nil
        }
    }

    /// Names of the members by which an object is recognised that is no document of a server.
    private static let marks: [(kind: FileKind, name: String)] = [
        (.keyset, "primaryKeyId"), (.keyset, "primary_key_id"),
        (.encryptedKeyset, "encryptedKeyset"), (.encryptedKeyset, "encrypted_keyset"),
        (.vectors, "testGroups"),
    ]
    private static let linkNames = ["vault", "userId", "link"]
    private static let objectNames = DocumentKind.markNames.union(marks.map(\.name) + linkNames)

    /// The kinds of JSON beside the server's documents, by a member that each has.
    private static func objects(_ names: [String], _ text: Span<UInt8>) -> [FileKind] {
        marks.filter { names.contains($0.name) }.map(\.kind) + (isFirestore(text) ? [.firestore] : [])
            + (linkNames.allSatisfy(names.contains) ? [.link] : [])
    }

    private static let beginnings: [(kind: FileKind, beginning: [UInt8])] =
        [
            (.field, "enc:"), (.sealedAnswer, "sealed:"), (.keybox, "keybox:"), (.publicKey, "pub:"),
            (.commitment, "sha256:"), (.linkToken, "link:"), (.chatToken, "chat:"),
            (.wrappedX25519Key, "MCowBQYDK2VuAyEA"),
            (.wrappedX25519Key, "MC4CAQAwBQYDK2VuBCIEI"), (.vault, "closer-keys/vault/"), (.svg, "<svg "),
        ].map { ($0, Array($1.utf8)) } + [(.png, [0x89] + Array("PNG\r\n\u{1A}\n".utf8))]

    private static func beginning(of bytes: Span<UInt8>, _ text: Span<UInt8>) -> FileKind? {
        if let found = beginnings.first(where: { text.has($0.beginning, at: 0) }) { return found.kind }
        return bytes.has(Array("closer-keys/sn/".utf8), at: 4) ? .safetyNumber : nil
    }

    private static func whole(_ bytes: Span<UInt8>, _ text: Span<UInt8>) -> FileKind? {
        if isSafetyNumber(text) { return .safetyNumber }
        if let keyset = encodedKeyset(text) { return keyset }
        if let byteCount = base64ByteCount(text) {
            return byteCount == 32 ? .key : byteCount >= 28 ? .fondField : nil
        }
        if text.count <= RecoveryPhrase.maximumByteCount,
            let phrase = try? RecoveryPhrase(typed: SecretBytes(copying: text)), phrase.isFaultless()
        {
            return .phrase
        }
        return keyset(bytes)
    }

    private static func keyset(_ bytes: Span<UInt8>) -> FileKind? {
        do throws(KeysetError) { _ = try InsecureCleartextKeyset.read(SecretBytes(copying: bytes)) } catch {
            switch error {
            case .encrypted: return .encryptedKeyset
            case .faultyMember, .lineBreak, .unsupportedKeyType, .unsupportedParameters, .wrongKeySize:
                return .keyset
            default: return nil
            }
        }
        return .keyset
    }

    /// What people keep in a variable or in the preferences of an app, which may be cut into lines.
    private static func encodedKeyset(_ text: Span<UInt8>) -> FileKind? {
        guard (1...maximumEncodedByteCount).contains(text.count) else { return nil }
        let letters = SecretBytes(capacity: text.count) { output in
            for index in text.indices where !text[index].isJSONWhiteSpace { output.append(text[index]) }
        }
        return letters.withBytes { letters in
            let hex = try? SecretBytes(capacity: letters.count) { try Hex.decode(letters, into: &$0) }
            if let hex, hex.withBytes({ keyset($0) }) != nil { return .hexKeyset }
            guard let base64 = try? SecretBase64.standard.decode(letters) else { return nil }
            return base64.withBytes { keyset($0) } != nil ? .base64Keyset : nil
        }
    }

    /// Two digits for each byte of the longest keyset, and room for line breaks.
    private static var maximumEncodedByteCount: Int { Keyset.maximumJSONByteCount * 5 / 2 }

    private static func isSafetyNumber(_ text: Span<UInt8>) -> Bool {
        let digits = text.indices.filter { isDigit(text[$0]) }.count
        return digits == SafetyNumber.digitCount
            && text.indices.allSatisfy { isDigit(text[$0]) || text[$0].isJSONWhiteSpace }
    }

    /// How many bytes standard base64 has; nil for another text.
    private static func base64ByteCount(_ text: Span<UInt8>) -> Int? {
        guard text.count > 0, text.count % 4 == 0 else { return nil }
        let padding = text.indices.suffix(2).filter { text[$0] == UInt8(ascii: "=") }.count
        guard text.indices.dropLast(padding).allSatisfy({ isBase64(text[$0]) }) else { return nil }
        return text.count / 4 * 3 - padding
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
        }
    }
}

extension Span<UInt8> {
    fileprivate var first: UInt8? { isEmpty ? nil : self[0] }

    fileprivate func has(_ other: [UInt8], at offset: Int) -> Bool {
        count >= offset + other.count && other.indices.allSatisfy { self[offset + $0] == other[$0] }
    }
}
