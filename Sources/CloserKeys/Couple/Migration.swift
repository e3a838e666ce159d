package import CloserWire

/// How far one device has come with the encryption of its couple's texts (closer-keys-trust(7), ENCRYPTION VERSION).
///
/// A couple that has texts in the clear begins at version 1 and is at 2 once both users have sealed theirs. A new couple begins
/// at 2. Whether a couple has texts in the clear, a person says, or the partner's grant, and never a document: a couple of which
/// neither said so is at 2, and stays there.
///
/// A server may lie about the version, and about who has sealed. So two questions stay two: ``readsPlaintext`` asks the highest version that
/// was seen, and ``sealsPlaintext`` asks the people. A server that says 2 too early ends the reading, and not the migration.
public struct Migration: Equatable, Sendable {
    /// The highest version that this device saw in a document, or printed in its own (docs/threat-model.md#w9).
    public private(set) var pin: EncryptionVersion
    /// The users who are marked as having sealed their texts; nil for a couple that is not known to migrate.
    public private(set) var migrated: Set<UserID>?

    /// A couple that begins at a version: at 2, or at 1 with texts that are in the clear.
    public init(beginningAt version: EncryptionVersion) { self.init(beginningAt: version, pin: .plaintext) }

    /// A couple that begins on a device that has seen a couple of this name at the version `pin`.
    package init(beginningAt version: EncryptionVersion, pin: EncryptionVersion) {
        self.init(pin: pin, migrated: version == .strict ? nil : [])
    }

    /// What a device stored. A couple that is not known to migrate is at 2.
    package init(pin: EncryptionVersion, migrated: Set<UserID>?) {
        (self.pin, self.migrated) = (max(pin, Self.version(after: migrated)), migrated)
    }

    /// Whether a person, or the partner's grant, said that the couple has texts in the clear.
    public var isKnownToMigrate: Bool { migrated != nil }

    /// Whether this device reads plaintext: it has not seen the couple at version 2.
    public var readsPlaintext: Bool { pin < .strict }

    /// Whether this device seals plaintext of the server's: the couple is known to migrate, and has not finished.
    public var sealsPlaintext: Bool { version < .strict }

    /// What the couple's document has as `encryptionVersion`: 2 only once both users are in its map, and never 0.
    public var version: EncryptionVersion { Self.version(after: migrated) }

    static func version(after migrated: Set<UserID>?) -> EncryptionVersion {
        (migrated?.count ?? 2) < 2 ? .migrating : .strict
    }

    /// Takes a person's word that the couple has texts in the clear. The pin stays, and no user is marked. False if that was known.
    @discardableResult
    public mutating func becomeKnownToMigrate() -> Bool {
        guard migrated == nil else { return false }
        migrated = []
        return true
    }

    /// Takes what a document tells, which brought the couple's key. A document at 1 is taken while the pin is below 2, or at a person's
    /// word (`isSaid`) that the couple has texts in the clear. The first mark of a partner is taken, if the document names the two users: ours
    /// makes ``finish(_:own:partner:)``, on each device, and nothing else ends the migration.
    ///
    /// - Throws: `.lowered` for a lower version.
    public mutating func see(
        _ document: CoupleDocument, own: UserID, migrating isSaid: Bool
    ) throws(MigrationError) {
        guard document.version >= (isSaid ? .migrating : pin) else {
            throw .lowered(to: document.version, from: pin)
        }
        if isSaid { becomeKnownToMigrate() }
        if migrated?.isEmpty == true, document.members?.contains(own) == true {
            migrated = document.marks.subtracting([own])
        }
        pin = max(pin, document.version)
    }

    /// Marks our texts as sealed, in what the server's document tells. Gives the marks for the server's document, or nil for a couple that
    /// is not known to migrate. A document at 1 gets its own marks and ours: a server refuses another user's, which this device saw in a newer
    /// document. One at 2 gets all that this device saw, and stays at 2. Once both have finished, the two stay the couple's users.
    ///
    /// A couple that is known to migrate accepts a document of version 1 also at a pin of 2: otherwise a server that said 2 too early would
    /// end the migration.
    ///
    /// - Parameters:
    ///   - document: the server's, with `userIds`.
    ///   - own: the user of this device.
    ///   - partner: the other user, if this device knows who that is.
    /// - Throws: `.lowered`, `.noMembers`, or `.notAMember`.
    @discardableResult
    public mutating func finish(
        _ document: CoupleDocument, own: UserID, partner: UserID?
    ) throws(MigrationError) -> Set<UserID>? {
        guard document.version >= (migrated == nil ? .strict : .migrating) else {
            throw .lowered(to: document.version, from: pin)
        }
        guard let members = document.members else { throw .noMembers }
        let known = [own, partner ?? own] + (version == .strict ? Array(migrated ?? []) : [])
        for user in known where !members.contains(user) { throw .notAMember(user) }
        let told = document.marks.union([own])
        migrated = migrated.map { told.union($0).intersection(members) }
        pin = max(pin, document.version, version)
        return migrated != nil && document.version == .migrating ? told : migrated
    }
}

extension CoupleDocument {
    /// Those of ``migrated`` who are members, as far as the document names these.
    fileprivate var marks: Set<UserID> {
        let marks = migrated ?? []
        return members.map(marks.intersection) ?? marks
    }
}

/// Why a document was refused during a migration.
public enum MigrationError: Error, Equatable, Sendable {
    /// The document has a lower version than this device has seen (docs/threat-model.md#w9).
    case lowered(to: EncryptionVersion, from: EncryptionVersion)
    /// The document does not say who the two users are: `userIds` is missing.
    case noMembers
    /// This user is none of the document's two, and should be.
    case notAMember(UserID)
}

extension MigrationError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .lowered(to: .migrating, _):
            ErrorWords(
                ErrorWords.loweredVersion.id, ErrorWords.loweredVersion.message,
                "stop, unless you know that its texts are in the clear: then say so", typing: "--migrating")
        case .lowered: .loweredVersion
        case .noMembers:
            ErrorWords(
                .malformed, "the document does not name the couple's two users",
                "give the server's whole document, with its userIds")
        case .notAMember(let user):
            ErrorWords(
                .notAMember, "\(user.text) is none of the two users in the document",
                "is it this couple's document? a server can change it")
        }
    }
}
