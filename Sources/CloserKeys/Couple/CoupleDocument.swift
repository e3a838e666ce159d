internal import CloserPrimitives
internal import CloserWire

/// What the server stores of a couple: its encryption version, and the couple key under the recovery phrase
/// (closer-keys-formats(7), DOCUMENTS).
public struct CoupleDocument: Equatable, Sendable {
    /// How far the couple has come with encryption.
    public let version: EncryptionVersion
    /// The couple key under the recovery phrase. Nil for a couple without encryption.
    public let wrap: KeyWrap?
    /// Who has sealed their texts: `encryptionMigrationUsers`. Nil if the document lacks it.
    public let migrated: Set<UserID>?
    /// The two users, where the document names them: `userIds`.
    public let members: Set<UserID>?

    /// The document of an encrypted couple, as far as it has come. It does not name the two users.
    public init(_ wrap: KeyWrap, of migration: Migration = Migration(beginningAt: .strict)) {
        self.init(wrap, migrated: migration.migrated)
    }

    /// The document of a couple with these marks; nil for one that began at version 2.
    package init(_ wrap: KeyWrap, migrated: Set<UserID>?) {
        (version, self.wrap) = (Migration.version(after: migrated), wrap)
        (self.migrated, members) = (migrated, nil)
    }

    /// Parses the JSON document. A missing `encryptionVersion` means 2 beside a wrap, else 0.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        var reader = try DocumentReader(bytes.span)
        let declared = reader.encryptionVersion()
        let wrap = reader.wrapOrNone(in: bytes.span)
        let version = declared ?? (wrap == nil ? .plaintext : .strict)
        if wrap != nil, version == .plaintext { reader.breaks("encryptionVersion", .versionForWrap) }
        if wrap == nil, version != .plaintext, reader.broken.isEmpty {
            reader.breaks("wrappedCoupleKey", .wrapForVersion)
        }
        guard reader.broken.isEmpty else { throw .broken(reader.broken) }
        (self.version, self.wrap) = (version, wrap)
        (migrated, members) = (reader.migrated(in: bytes.span), reader.members(in: bytes.span))
    }

    /// Parses the document of a couple to which other documents belong. It satisfies the rules of its users and marks, too.
    package init(checking text: [UInt8]) throws(DocumentError) {
        try DocumentKind.couple.parse(text.span, after: nil)
        try self.init(parsing: text)
    }

    /// Refuses a document that follows one with a higher version (docs/threat-model.md#w9).
    ///
    /// - Throws: `encryptionVersion.notLowered`.
    public func check(after previous: CoupleDocument) throws(DocumentError) {
        try version.check(.notLowered, than: previous.version)
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
    fileprivate mutating func encryptionVersion() -> EncryptionVersion? {
        guard has("encryptionVersion") else { return nil }
        let number = number("encryptionVersion", .encryptionVersion, oneOf: 0...2)
        return number.flatMap { EncryptionVersion(rawValue: Int($0)) }
    }

    /// The users who are marked `true`.
    fileprivate func migrated(in bytes: Span<UInt8>) -> Set<UserID>? {
        guard case .nested(let map) = value("encryptionMigrationUsers", in: bytes), let users = map.members
        else {
            return nil
        }
        return Set(
            users.compactMap { user in
                guard case .bool(true) = user.value else { return nil }
                return try? UserID(parsing: user.name)
            })
    }

    /// Two different users, or nil.
    fileprivate func members(in bytes: Span<UInt8>) -> Set<UserID>? {
        guard case .nested(let list) = value("userIds", in: bytes), let ids = list.array, ids.count == 2
        else {
            return nil
        }
        let users = Set(ids.compactMap { $0.string.flatMap { try? UserID(parsing: $0) } })
        return users.count == 2 ? users : nil
    }

    /// The three fields of a wrap, together or missing.
    fileprivate mutating func wrapOrNone(in bytes: Span<UInt8>) -> KeyWrap? {
        let missing = KeyWrap.names.filter { !has($0) }
        guard missing.isEmpty else {
            if missing != KeyWrap.names { missing.forEach { breaks($0, .wholeWrap) } }
            return nil
        }
        return wrap(in: bytes)
    }

    /// The three fields of a wrap.
    mutating func wrap(in bytes: Span<UInt8>) -> KeyWrap? {
        let key = text("wrappedCoupleKey", .wrappedCoupleKey, in: bytes) { KeyWrap.isKey($0) ? $0 : nil }
        let salt = text("kdfSalt", .kdfSalt, in: bytes) { KeyWrap.isSalt($0) ? $0 : nil }
        if let salt, KeyWrap.isWeak(salt: salt) { breaks("kdfSalt", .weakSalt) }
        let costs = text("kdfParams", .kdfParams, in: bytes) { WrapCost.isExactly($0) ? $0 : nil }
        guard let key, let salt, let costs else { return nil }
        return KeyWrap(wrappedCoupleKey: key, kdfSalt: salt, kdfParams: costs)
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
