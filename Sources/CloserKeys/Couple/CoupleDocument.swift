internal import CloserPrimitives
internal import CloserWire

/// What the server stores of a couple: its encryption version, and the couple key under the recovery phrase
/// (closer-keys-formats(7), DOCUMENTS).
public struct CoupleDocument: Equatable, Sendable {
    /// How far the couple has come with encryption.
    public let version: EncryptionVersion
    /// The couple key under the recovery phrase. Nil for a couple without encryption.
    package let wrap: KeyWrap?
    /// Who has sealed their texts: `encryptionMigrationUsers`. Nil if the document lacks it.
    public let migrated: Set<UserID>?
    /// The two users, where the document names them: `userIds`.
    public let members: Set<UserID>?

    /// The document of an encrypted couple, as far as it has come. It does not name the two users.
    package init(_ wrap: KeyWrap, of migration: Migration = Migration(beginningAt: .strict)) {
        self.init(wrap, migrated: migration.migrated)
    }

    /// The document of a couple with these marks; nil for one that is not known to migrate. It has `least`, or a higher version.
    package init(_ wrap: KeyWrap, migrated: Set<UserID>?, atLeast least: EncryptionVersion = .migrating) {
        (version, self.wrap) = (max(least, Migration.version(after: migrated)), wrap)
        (self.migrated, members) = (migrated, nil)
    }

    /// Parses the JSON document. A missing `encryptionVersion` means 2 beside a wrap, else 0.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        let reader = try DocumentReader(bytes.span, as: .couple)
        version = reader.coupleVersion
        wrap = reader.has("wrappedCoupleKey") ? reader.wrap(in: bytes.span) : nil
        (migrated, members) = (reader.migrated, reader.members)
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let version = JSONValue.Member("encryptionVersion", .number(Double(version.rawValue)))
        let map = migrated.map { users in
            let marks = users.map(\.text).sorted().map { JSONValue.Member($0, true) }
            return [JSONValue.Member("encryptionMigrationUsers", .object(marks))]
        }
        return JSONValue.object([version] + (map ?? []) + (wrap?.members ?? [])).bytes
    }
}

/// How far a couple has come with encryption.
///
/// It only rises: a server that lowered it would have new texts written in the clear (docs/threat-model.md#w9).
public enum EncryptionVersion: Int, Comparable, Sendable {
    /// Nothing is encrypted.
    case plaintext = 0
    /// There is a couple key, and old texts are still in the clear.
    case migrating = 1
    /// Plaintext is refused. New couples start here.
    case strict = 2

    /// Whether `ours` is the lower of the two.
    public static func < (ours: Self, theirs: Self) -> Bool { ours.rawValue < theirs.rawValue }

    func check(_ rule: DocumentRule, than least: EncryptionVersion) throws(DocumentError) {
        guard self >= least else { throw .broken([BrokenRule("encryptionVersion", rule)]) }
    }
}

extension DocumentReader {
    /// The users who are marked `true`.
    fileprivate var migrated: Set<UserID>? {
        guard case .map(let marks)? = value("encryptionMigrationUsers") else { return nil }
        return Set(marks.compactMap { try? UserID(parsing: $0.name) })
    }

    /// Two different users, or nil.
    fileprivate var members: Set<UserID>? {
        guard case .list(let ids)? = value("userIds") else { return nil }
        return Set(ids.compactMap { $0.string.flatMap { try? UserID(parsing: $0) } })
    }

    func wrap(in bytes: Span<UInt8>) -> KeyWrap {
        func text(_ name: String) -> String { parsed(name, in: bytes) { $0 } }
        return KeyWrap(
            wrappedCoupleKey: text("wrappedCoupleKey"), kdfSalt: text("kdfSalt"), kdfParams: text("kdfParams")
        )
    }
}

extension KeyWrap {
    /// The three members of a document that belong together.
    static let names = ["wrappedCoupleKey", "kdfSalt", "kdfParams"]

    var members: [JSONValue.Member] {
        zip(Self.names, [wrappedCoupleKey, kdfSalt, kdfParams]).map { .init($0, .string($1)) }
    }

    /// Whether a text can be a wrapped key: base64 of a keyset of 1 byte to 16 KiB and 28 bytes more.
    static func isKey(_ text: String) -> Bool {
        let least = AESGCM.overheadByteCount + 1
        return Base64.decodeEither(text).map { (least...least - 1 + 16 * 1024).contains($0.count) } ?? false
    }

    /// Whether a text can be the salt.
    static func isSalt(_ text: String) -> Bool { (try? Base64.standard.decode(text))?.count == 16 }

    /// Whether a salt has zeros alone. A couple with such a salt shares a dictionary of phrases with all others.
    static func isWeak(salt text: String) -> Bool {
        isSalt(text) && (try? Base64.standard.decode(text))?.allSatisfy { $0 == 0 } ?? false
    }
}
