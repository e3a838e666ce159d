package import CloserWire

/// The JSON documents that the apps' server stores, and what partners give each other (closer-keys-formats(7), DOCUMENTS).
///
/// A server that stores them checks each by its kind, without a key: ``brokenRules(in:after:requiring:alsoText:)``.
public enum DocumentKind: String, CaseIterable, Sendable {
    /// A couple that uses encryption, as ``CoupleDocument`` reads it.
    case couple
    /// An invite, as ``InviteDocument`` reads it. With its code, a reader of it has the couple key.
    case invite
    /// A sealed answer, or a message in a thread, as ``AnswerDocument`` reads it.
    case answer
    /// The release of an answer's key, as ``ReleaseKeyDocument`` reads it.
    case releaseKey = "release-key"
    /// A rekey on its way to the partner, as ``RekeyDocument`` reads it.
    case rekey
    /// A device and its public key, as ``DeviceDocument`` reads it.
    case device
    /// An inviter's side of a pairing, as ``PairOffer`` reads it.
    case pairOffer = "pair-offer"
    /// An acceptor's answer to it, as ``PairReply`` reads it.
    case pairReply = "pair-reply"
    /// What the inviter grants for that, as ``PairGrant`` reads it.
    case pairGrant = "pair-grant"
    /// The answers of a game's two players, each an encrypted field.
    case gameSlot = "game-slot"
    /// A bound chat message: its sender, and a ``ChatToken``.
    case chatMessage = "chat-message"
    /// A chat key on its way to the other person, as ``ChatKeyDocument`` reads it.
    case chatKey = "chat-key"
    /// A chat message, as ``FitLinkMessage`` reads it.
    case fitLinkMessage = "fitlink-message"
    /// A user of FitLink: the key for chats.
    case fitLinkUser = "fitlink-user"
    /// A user of Fond: the key, and what the partner may see, each a ``FondField``.
    case fondUser = "fond-user"
    /// An answer whose texts are encrypted fields, from before sealed answers.
    case legacyAnswer = "legacy-answer"

    /// The most that a document may have: 1 MiB. A longer one is refused unread.
    public static let maximumByteCount = 1 << 20

    /// The rules that a document breaks, in the order of its members; empty if a server may store it.
    ///
    /// It is what `closer-keys check` tells. A couple's encryption version must be at least `required`, and at least that of `previous`,
    /// which the server stored before. Other kinds ignore both. A kind that holds content may have texts in the clear in `alsoText`, members
    /// that your app adds.
    ///
    /// - Important: Without `required`, the document of a plaintext couple, such as `{}`, satisfies every rule.
    ///
    /// - Throws: ``DocumentCheckError`` for what is no document, or one of another kind: an invite has all that a couple's
    ///   document must have, and holds the key's phrase besides.
    public func brokenRules(
        in document: some Collection<UInt8>, after previous: CoupleDocument? = nil,
        requiring required: EncryptionVersion = .plaintext, alsoText: Set<String> = []
    ) throws(DocumentCheckError) -> [BrokenRule] {
        try brokenRules(in: document, at: nil) { (reader, bytes) throws(DocumentError) in
            try check(reader, in: bytes, after: previous?.version, requiring: required, alsoText: alsoText)
        }
    }

    /// What `check` says of a document that may be of this kind.
    func brokenRules(
        in document: some Collection<UInt8>, at path: DocumentPath?,
        _ check: (DocumentReader, Span<UInt8>) throws(DocumentError) -> Void
    ) throws(DocumentCheckError) -> [BrokenRule] {
        guard document.count <= Self.maximumByteCount else { throw .tooLarge }
        let bytes = Array(document)
        let found: DocumentKind?
        do throws(DocumentError) {
            let reader = try DocumentReader(bytes.span, at: path, of: self)
            found = reader.kind(wanted: self)
            if found ?? self == self { try check(reader, bytes.span) }
        } catch {
            switch error {
            case .notAnObject(let fault): throw .notAnObject(fault)
            case .broken(let rules): return rules
            }
        }
        if let found, found != self { throw .otherKind(found) }
        return []
    }

    /// Checks a document of this kind against its contract. It may leave out what its path says, and may have texts in the clear in a
    /// `couple` of version 0. Gives the version of a couple.
    @discardableResult
    package func check(
        _ document: DocumentReader, in bytes: Span<UInt8>, after previous: EncryptionVersion? = nil,
        requiring required: EncryptionVersion = .plaintext, of couple: CoupleDocument? = nil,
        alsoText: Set<String> = []
    ) throws(DocumentError) -> EncryptionVersion? {
        let document = document.read(as: self, in: bytes)
        let broken = contract.broken(by: document, in: bytes, of: couple, alsoText: alsoText)
        guard broken.isEmpty else { throw .broken(broken) }
        guard self == .couple else { return nil }
        let version = document.coupleVersion
        if let previous { try version.check(.notLowered, than: previous) }
        try version.check(.required, than: required)
        return version
    }
}

/// Why the rules of a document were left unchecked.
public enum DocumentCheckError: Error, Equatable, Sendable {
    /// Not one JSON object, strict: no duplicate names, nothing behind it, at most 16 levels.
    case notAnObject(JSONFault)
    /// It looks like a document of this kind.
    case otherKind(DocumentKind)
    /// It has more than ``DocumentKind/maximumByteCount`` bytes.
    case tooLarge
}

// MARK: - By its members

extension DocumentKind {
    /// What a document looks like by the names of its members; nil for anything else. Where it looks like two kinds, `wanted` is one
    /// that it may be. It is a guess: names are easy to write.
    package init?(wanted: DocumentKind? = nil, having hasName: (String) -> Bool) {
        func looksLike(_ kind: DocumentKind) -> Bool { kind.marks.contains { $0.allSatisfy(hasName) } }
        func isLike(_ kind: DocumentKind) -> Bool {
            looksLike(kind) && !kind.absentNames.contains(where: hasName)
        }
        if let wanted, looksLike(wanted), wanted != .couple || !looksLike(.invite) {
            self = wanted
        } else if let first = Self.recognised.first(where: isLike) {
            self = first
        } else {
            return nil
        }
    }

    /// The order in which a document is recognised. An invite also has the members of a couple, so it comes first.
    package static let recognised = [DocumentKind.invite] + allCases.filter { $0 != .invite }

    /// The names by which the kind is recognised: all of one row.
    package var marks: [[String]] {
        switch self {
        case .couple: [["wrappedCoupleKey"], ["kdfSalt"], ["kdfParams"], ["encryptionVersion"]]
        case .invite: [["recoveryPhrase"], ["code", "wrappedCoupleKey"]]
        case .answer:
            [["encryptedPayload"], ["commitmentHash"], ["userId", "questionId", "answerKeyReleased"]]
        case .releaseKey: [["encryptedAnswerKey"]]
        case .rekey: [["encryptedCoupleKey"]]
        case .device: [["publicKey", "platform"]]
        case .pairOffer: [["offer", "lookup"]]
        case .pairReply: [["reply", "lookup"]]
        case .pairGrant: [["grant", "lookup"]]
        case .gameSlot: [["answers"]]
        case .chatMessage, .fitLinkMessage: [["encrypted_content"]]
        case .chatKey: [["index", "mac"]]
        case .fitLinkUser: [["public_key"]]
        case .fondUser: Self.fondFields.map { [$0] }
        case .legacyAnswer: [["userId", "questionId"]]
        }
    }

    /// Each of what a user of Fond keeps sealed.
    static let fondFields = [
        "encryptedStatus", "encryptedLocation", "encryptedHeartbeat", "encryptedName", "encryptedMessage",
        "encryptedPromptAnswer",
    ]

    /// What tells the kind from another one with the same marks.
    private var absentNames: [String] { contract.members.filter { $0.presence == .absent }.map(\.name) }

    package static let markNames = Set(recognised.flatMap { $0.marks.joined() + $0.absentNames })

    /// Which of `known` are names of an object's members; none if it is no JSON.
    package static func names(in text: Span<UInt8>, among known: Set<String>) -> [String] {
        var (scanner, names) = (JSONScanner(), [String]())
        do {
            try scanner.object(in: text) { (scanner, name) throws(JSONScanner.SyntaxError) in
                if known.contains(name) { names.append(name) }
                _ = try scanner.skip(in: text)
            }
            try scanner.finish(in: text)
        } catch { return [] }
        return names
    }
}

extension DocumentCheckError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .notAnObject(let fault): DocumentError.notAnObject(fault).words
        case .otherKind(let kind):
            ErrorWords(
                .malformed, "this looks like another document, of the kind \(kind.rawValue)",
                "check it as that, or refuse it")
        case .tooLarge: ErrorWords(.limit, "a document has at most \(DocumentKind.maximumByteCount) bytes")
        }
    }
}
