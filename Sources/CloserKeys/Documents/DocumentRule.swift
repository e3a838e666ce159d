package import CloserWire

/// A rule that the apps' server applies to what it stores, by the name that scripts compare (closer-keys-formats(7),
/// DOCUMENTS).
public enum DocumentRule: String, CaseIterable, Sendable {
    /// The member is there, and not null.
    case present
    /// It is a string.
    case string
    /// It is true or false.
    case boolean
    /// It is a name: see ``Identifier``.
    case identifier
    /// It is 0, 1 or 2: see ``EncryptionVersion``.
    case encryptionVersion
    /// A wrap has all three of its members, or lacks all three.
    case wholeWrap
    /// An encrypted couple has a wrap.
    case wrapForVersion
    /// A couple with a wrap is encrypted.
    case versionForWrap
    /// The version is at least the former one (docs/threat-model.md#w9).
    case notLowered
    /// The version is at least what the server requires.
    case required
    /// It is base64 of a length that a wrapped keyset can have.
    case wrappedCoupleKey
    /// It is a salt of 16 bytes.
    case kdfSalt
    /// Its bytes are not all zeros, which two couples would share.
    case weakSalt
    /// It names exactly the costs of v1 (docs/threat-model.md#w15).
    case kdfParams
    /// It is an invite code.
    case code
    /// It is a phrase under a code: see ``InvitedPhrase``.
    case recoveryPhrase
    /// It is 3, the only schema of sealed answers.
    case schemaVersion
    /// It is a ``SealedToken``.
    case sealed
    /// It is a ``Commitment``.
    case commitment
    /// It is a ``KeyboxToken``.
    case keybox
    /// It is a ``PublicKeyToken``.
    case publicKey
    /// Sender and recipient are two people.
    case otherPerson
    /// It has 1 to 128 bytes.
    case platform
    /// It is a number that a rekey can have.
    case epoch
    /// It is the first half of a pairing code: see ``PairingCode/Lookup``.
    case lookup
    /// It is `couple`, the only purpose of a pairing.
    case purpose
    /// It is an ``X25519PublicKey``.
    case x25519PublicKey
    /// It is the token of a ``PairOffer``.
    case offer
    /// It is the token of a ``PairReply``.
    case reply
    /// It is the token of a ``PairGrant``.
    case grant
    /// It says `true` for each user who has migrated, one or two of the couple.
    case migrationUsers
    /// It is the ids of two users.
    case userIds
    /// It is another schema than that of sealed answers, in which each text is a ``FieldToken``.
    case otherSchema
    /// It is a ``FieldToken``.
    case field
    /// It has a ``FieldToken`` for each user, of two at most.
    case fieldsByUser
    /// It is the ciphertext of a ``FitLinkMessage``.
    case messageContent
    /// It is the initialization vector of a ``FitLinkMessage``.
    case messageIV
    /// It is a ``FondField``.
    case fondField
    /// The change is one of those that a user, or the server, may make.
    case notAnUpdate
    /// The writer is one of the couple's two users.
    case notAMember
    /// The writer is the author.
    case notTheOwner
    /// It is the id that the document's path has.
    case samePath

    /// What the rule demands, to be read behind the member's name.
    public var requirement: String {
        switch self {
        case .present: "must be there"
        case .string: "must be a string"
        case .boolean: "must be true or false"
        case .identifier: "must be 1 to 128 of the characters a-z A-Z 0-9 . _ - : @ +"
        case .encryptionVersion: "must be 0, 1 or 2"
        case .wholeWrap: "must come with wrappedCoupleKey, kdfSalt and kdfParams, all three or none"
        case .wrapForVersion: "must be there when encryptionVersion is 1 or 2"
        case .versionForWrap: "must be 1 or 2 where a key is wrapped: it is never lowered"
        case .notLowered: "must not be lower than in the previous document"
        case .required: "must not be lower than this server requires"
        case .wrappedCoupleKey: "must be base64 of 29 to 16412 bytes"
        case .kdfSalt: "must be 16 bytes in standard base64, 24 characters"
        case .weakSalt: "must not be 16 zeros"
        case .kdfParams: "must be argon2id, version 19, with m=46080, t=3 and p=1"
        case .code: "must match ^[a-zA-Z0-9]{6}$"
        case .recoveryPhrase: "must be standard base64 of 01, a salt of 16 bytes, and a ciphertext"
        case .schemaVersion: "must be 3"
        case .sealed:
            "must match ^sealed:v1:[A-Za-z0-9_-]{80,}$ and be base64url in its only accepted spelling"
        case .commitment:
            "must match ^sha256:[A-Za-z0-9_-]{43}$ and be base64url in its only accepted spelling"
        case .keybox:
            "must match ^keybox:v1:[A-Za-z0-9_-]{120,}$ and be base64url in its only accepted spelling"
        case .publicKey:
            "must match ^pub:v1:[A-Za-z0-9_-]+$ and hold one public key in its only accepted spelling"
        case .otherPerson: "must not be the sender"
        case .platform: "must have 1 to 128 bytes"
        case .epoch: "must be 1 to 4294967295"
        case .lookup: "must match ^[0-9A-HJKMNP-TV-Z]{6}$"
        case .purpose: "must be couple"
        case .x25519PublicKey:
            "must be 32 bytes in standard base64, 44 characters, of a number below 2^255 - 19, and no point of low order"
        case .offer:
            "must match ^offer:v1:[A-Za-z0-9_-]{64}$, in its only accepted spelling, and hold an element of ristretto255"
        case .reply:
            "must match ^reply:v1:[A-Za-z0-9_-]{86,}$, in its only accepted spelling, and hold an element of ristretto255"
        case .grant:
            "must match ^grant:v1:[A-Za-z0-9_-]{120,}$ and be base64url of at most 16 KiB in its only accepted spelling"
        default: laterRequirement
        }
    }

    private var laterRequirement: String {
        switch self {
        case .migrationUsers: "must have the value true for each of at most two ids of users"
        case .userIds: "must be a list of two different ids"
        case .otherSchema: "must be a whole number other than 3, the schema of sealed answers"
        case .field:
            "must match ^enc:v1:[A-Za-z0-9+/]+={0,2}$ and be standard base64 in its only accepted spelling"
        case .fieldsByUser: "must have an enc:v1: token for each of at most two ids of users"
        case .messageContent: "must be 16 bytes or more in standard base64"
        case .messageIV: "must be 12 bytes in standard base64, 16 characters"
        case .fondField: "must be 28 bytes or more in standard base64"
        case .notAnUpdate: "must not be changed so by this writer"
        case .notAMember: "must name the writer: only the two of a couple write"
        case .notTheOwner: "must be the writer"
        case .samePath: "must be the id in the document's path"
        default: preconditionFailure("\(rawValue) has its requirement above")
        }
    }
}

/// A rule and the member that breaks it. As JSON it is what `closer-keys check --json` prints of it: `rule`, which is ``id``, `member` and
/// `requirement`.
public struct BrokenRule: Equatable, Sendable, Encodable {
    /// The member's name.
    public let member: String
    /// What it must have met.
    public let rule: DocumentRule

    /// Takes a member's name and the rule that it breaks.
    public init(_ member: String, _ rule: DocumentRule) { (self.member, self.rule) = (member, rule) }

    /// What scripts compare, such as `kdfSalt.present`.
    public var id: String { "\(member).\(rule.rawValue)" }

    private enum CodingKeys: String, CodingKey { case rule, member, requirement }

    /// Writes the three members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .rule)
        try container.encode(member, forKey: .member)
        try container.encode(rule.requirement, forKey: .requirement)
    }
}

/// Why a text is refused as the document that it should be.
public enum DocumentError: Error, Equatable, Sendable {
    /// Not one JSON object, strict: no duplicate names, nothing behind it, at most 16 levels.
    case notAnObject
    /// An object that breaks these rules of the server, at least one, in the order of the document's members.
    case broken([BrokenRule])
}

extension DocumentError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension DocumentError: WordedError {
    package var words: ErrorWords { words(of: nil) }

    /// The words for a document that has a name.
    package func words(of name: String?) -> ErrorWords {
        let document = name.map { "the \($0) document" } ?? "the document"
        switch self {
        case .notAnObject:
            return ErrorWords(
                .malformed, "\(document) is not one JSON object, in strict JSON",
                "is it the right file? members must not be there twice, and nothing may follow")
        case .broken(let broken) where broken.contains(where: \.lowersTheVersion): return .loweredVersion
        case .broken(let broken):
            let first = broken.first.map { "\($0.member) \($0.rule.requirement)" } ?? "it breaks a rule"
            return ErrorWords(
                .malformed, "\(document): \(first)", "the error names every rule that it breaks")
        }
    }
}

extension BrokenRule {
    /// Whether the document's author may want texts in the clear again: true for `versionForWrap` and `notLowered`.
    public var lowersTheVersion: Bool { rule == .versionForWrap || rule == .notLowered }
}

extension ErrorWords {
    /// The rules that a document breaks which lowers the encryption version of a couple (docs/threat-model.md#w9).
    package static let loweredVersion = ErrorWords(
        .downgrade, "the document has a lower encryption version than before",
        "stop: a lower version makes the apps write plaintext")
}
