package import CloserWire

/// How far one device has come with the encryption of its couple's texts (closer-keys-trust(7), ENCRYPTION VERSION).
///
/// A couple that has texts in the clear begins at version 1 and is at 2 once both users have sealed theirs. A new couple begins
/// at 2. A server may lie about both numbers, and about who has sealed: ``pin`` decides what a device reads, ``version``
/// what it writes into the couple's document.
public struct Migration: Equatable, Sendable {
    /// The highest version that this device saw in a document. Below 2 it reads plaintext, too.
    public private(set) var pin: EncryptionVersion
    /// The users whose texts are sealed, as the document tells; nil for a couple that began at 2.
    public private(set) var migrated: Set<UserID>?

    /// A couple that begins at a version: at 2, or at 1 with texts that are in the clear.
    public init(beginningAt version: EncryptionVersion) {
        self.init(pin: version, migrated: version == .strict ? nil : [])
    }

    /// What a device stored.
    package init(pin: EncryptionVersion, migrated: Set<UserID>?) {
        (self.pin, self.migrated) = (pin, migrated)
    }

    /// What the couple's document has as `encryptionVersion`: 2 only once both users are in its map, and never 0.
    public var version: EncryptionVersion { Self.version(after: migrated) }

    static func version(after migrated: Set<UserID>?) -> EncryptionVersion {
        (migrated?.count ?? 2) < 2 ? .migrating : .strict
    }

    /// Takes what a document tells, which brought the couple's key.
    ///
    /// - Throws: `.lowered` if its version is below ``pin`` (docs/threat-model.md#w9).
    public mutating func see(_ document: CoupleDocument) throws(MigrationError) {
        guard document.version >= pin else { throw .lowered(to: document.version, from: pin) }
        let isMigrating = migrated != nil || document.isMigrating
        pin = max(pin, document.version)
        migrated = isMigrating ? (migrated ?? []).union(document.marks) : nil
    }

    /// Marks our texts as sealed, in what the server's document tells. Gives the marks for the server's document, or nil for a couple that
    /// began at 2. A document at 1 gets its own marks and ours: a server refuses another user's, which this device saw in a newer
    /// document. One at 2 gets all that this device saw, so that the version is not lowered for a map that was lost.
    ///
    /// A device that saw 2 on the way accepts a document of version 1: otherwise a server that said 2 too early would end the migration.
    /// A couple that began at 2 on this device stays there, unless a person says that it has texts in the clear.
    ///
    /// - Parameters:
    ///   - document: the server's, with `userIds`.
    ///   - own: the user of this device.
    ///   - partner: the other user, if this device knows who that is.
    ///   - isKnownToMigrate: whether a person said that the couple has texts in the clear.
    /// - Throws: `.lowered` for version 0, `.noMembers`, or `.notAMember`.
    @discardableResult
    public mutating func finish(
        _ document: CoupleDocument, own: UserID, partner: UserID?, isKnownToMigrate: Bool = false
    ) throws(MigrationError) -> Set<UserID>? {
        let least: EncryptionVersion = migrated == nil && !isKnownToMigrate ? pin : .migrating
        guard document.version >= max(least, .migrating) else {
            throw .lowered(to: document.version, from: pin)
        }
        guard let members = document.members else { throw .noMembers }
        for user in [own, partner ?? own] where !members.contains(user) { throw .notAMember(user) }
        let isMigrating = migrated != nil || document.isMigrating
        let told = document.marks.union([own])
        migrated = isMigrating ? told.union(migrated ?? []).intersection(members) : nil
        pin = max(pin, document.version, version)
        return isMigrating && document.version == .migrating ? told : migrated
    }
}

extension CoupleDocument {
    /// Those of ``migrated`` who are members, as far as the document names these.
    fileprivate var marks: Set<UserID> {
        let marks = migrated ?? []
        return members.map(marks.intersection) ?? marks
    }

    /// Whether it is the document of a couple that began with texts in the clear.
    fileprivate var isMigrating: Bool { version == .migrating || migrated?.isEmpty == false }
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

extension MigrationError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension MigrationError: WordedError {
    package var words: ErrorWords {
        switch self {
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
