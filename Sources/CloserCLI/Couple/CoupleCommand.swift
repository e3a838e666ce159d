internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

struct CoupleCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "couple", abstract: "Show, make, join, verify, rekey and recover couples.",
        subcommands: [
            Status.self, Show.self, Recover.self, Rehearse.self, Rewrap.self, Phrase.self, Verify.self,
            Rekey.self, Retire.self, Forget.self, Migrate.self,
        ],
        groupedSubcommands: [
            ArgumentParser.CommandGroup(name: "Legacy invites", subcommands: [Create.self, Join.self])
        ])
}

/// Which couple, and in which vault, where a couple begins or ends: its name is required.
struct CoupleOptions: ParsableArguments {
    @Option("The couple's id.", value: "id") var couple: String
    @OptionGroup(title: "Vault options") var vault: VaultOptions

    var mayAsk: Bool { !vault.passphrase.noInput }

    func open(_ inputs: inout Inputs) throws -> (Vault, CoupleID) {
        let id = try CoupleID(parsing: couple)
        return (try vault.open(&inputs), id)
    }
}

/// At which version a new couple begins.
struct CoupleBeginning: ParsableArguments {
    @Flag(help: "The couple has texts in the clear: a new one begins at version 1.") var migrating = false

    var version: EncryptionVersion { migrating ? .migrating : .strict }

    /// Says, before a step, that the option changes nothing in it. Some steps keep a couple that is here as it is.
    func noteUnneeded(by id: CoupleID, in vault: Vault, keepingKnown: Bool = false) throws {
        guard migrating, try vault.existingCouple(id) != nil else { return }
        if try vault.migration(of: id).isKnownToMigrate {
            Diagnostics.note("--migrating has no effect: \(id.text) is known to migrate")
        } else if keepingKnown {
            Diagnostics.note(
                "--migrating has no effect, because \(id.text) is here",
                next: NextCommand.line("couple migrate \(id.option) --migrating"))
        }
    }
}

extension Vault {
    /// Says that a step would bring a couple beside others, since a mistyped id is a new one.
    func noteIfNew(_ id: CoupleID) throws {
        guard try existingCouple(id) == nil, let other = try coupleIDs.first else { return }
        Diagnostics.note("\(id.text) is new here, beside \(other.text)")
    }
}

/// What `couple show` and `couple status` print of a couple. It holds no secret.
struct CoupleSummary {
    let members: [JSONValue.Member]
    /// How far the couple has come with its migration: some of the members.
    let migration: [JSONValue.Member]
    /// One fact a line, its name first.
    let lines: String
    let line: String
    private let id: CoupleID
    private let isPrivate: Bool

    init(_ id: CoupleID, _ vault: Vault) throws { try self.init(try vault.overview(of: id)) }

    init(_ whole: CoupleOverview) throws {
        (self.id, isPrivate) = (whole.id, whole.state?.isPrivate ?? false)
        let (id, state) = (whole.id.text, whole.state?.rawValue ?? "waiting")
        migration = [
            .init("coupleId", .string(id)),
            .init(
                "encryptionVersion",
                whole.couple.map { .number(Double($0.document.version.rawValue)) } ?? .null),
            .init("pinnedVersion", whole.migration.map { .number(Double($0.pin.rawValue)) } ?? .null),
            .init("finished", whole.migration?.finished.map { .array($0.map { .string($0) }) } ?? .null),
        ]
        let others: [JSONValue.Member] = [
            .init("fingerprint", whole.couple.map { .string($0.fingerprint) } ?? .null),
            .init("keys", .array(whole.couple?.keyMembers ?? [])),
            .init("partners", .array(whole.partners.map(\.json))),
            .init("pairing", try whole.pairing?.json() ?? .null),
            .init(
                "retiredKeyIds", .array(whole.couple?.retiredKeyIDs.map { .number(Double($0)) } ?? [])),
            .init("phrase", whole.couple?.phrase.map { .string($0.name) } ?? .null),
            .init("keepsPhrase", .bool(whole.keepsPhrase)),
        ]
        members = [migration[0], .init("state", .string(state))] + migration.dropFirst() + others
        let stateWords = whole.state?.words ?? "the grant brings the key"
        lines =
            (["couple: \(id)", "state: \(state) (\(stateWords))"] + (whole.couple?.facts ?? [])
            + (whole.keepsPhrase ? ["phrase: kept here"] : [])
            + (whole.migration?.facts ?? [])
            + whole.partners.map { "partner: \($0.userID.text), \($0.words)" }
            + (try whole.pairing?.words().map { ["pairing: \($0)"] } ?? [])).joined(separator: "\n")
        line = [id, state, whole.couple?.fingerprint ?? "-"].joined(separator: "\t")
    }

    var json: JSONValue { .object(members) }

    /// Ends a step after which people compare. A key opens under any couple's name: only people can see that it came to the right one.
    func note() {
        Diagnostics.note(
            "your partner's device must show the same fingerprint, or one of you mistyped \(id.text)",
            next: isPrivate ? nil : NextCommand.line(.inviting(id)))
    }
}

extension Couple {
    fileprivate var keyMembers: [JSONValue] {
        key.keyset.entries.map { entry in
            [
                "keyId": .number(Double(entry.id)), "origin": .string(origin(ofKey: entry.id).rawValue),
                "primary": .bool(entry.id == key.keyset.primaryID),
            ]
        }
    }

    fileprivate var facts: [String] {
        let keys = key.keyset.entries.map { entry in
            let primary = entry.id == key.keyset.primaryID ? ", primary" : ""
            return "key: \(entry.id), \(origin(ofKey: entry.id).words)\(primary)"
        }
        let phrase = self.phrase == .notConfirmed ? ["phrase: not confirmed"] : []
        return ["fingerprint: \(fingerprint)"] + phrase + keys
            + retiredKeyIDs.map { "retired: \($0)" }
    }
}

extension Migration {
    /// The users who have sealed their texts; nil for a couple that is not known to migrate.
    fileprivate var finished: [String]? { migrated?.map(\.text).sorted() }

    fileprivate var facts: [String] {
        guard let finished else { return [] }
        return [
            "version: \(version.rawValue)\(sealsPlaintext ? ", migrating" : "")",
            "plaintext: \(readsPlaintext ? "read with --mixed" : "refused")",
            "finished: \(finished.isEmpty ? "none yet" : finished.listed)",
        ]
    }
}

extension KeyOrigin {
    fileprivate var words: String {
        switch self {
        case .invite: "by invite or recovery"
        case .rekey, .pairing: "by \(rawValue)"
        case .given: "given away"
        case .exposed: "exposed"
        }
    }
}

extension Partner {
    fileprivate var json: JSONValue {
        [
            "userId": .string(userID.text), "verified": .bool(isVerified),
            "publicKey": key.map { .string($0.description) } ?? .null,
            "verifiedBy": isVerified ? verifiedBy.map { .string($0.rawValue) } ?? .null : .null,
            "x25519PublicKey": x25519Key.map { .string($0.description) } ?? .null,
        ]
    }

    fileprivate var words: String {
        switch isVerified ? verifiedBy : nil {
        case .safetyNumber: "verified"
        case .code: "verified by a code"
        case nil: "not verified"
        }
    }
}

extension StoredPairing {
    /// How far it is, with the first half of the code alone.
    fileprivate func json() throws -> JSONValue {
        [
            "role": .string(isOffer ? "inviter" : "acceptor"), "lookup": .string(lookup.text),
            "status": .string(status.rawValue),
            "expiresAt": end.map { .number(Double($0.secondsSince1970)) } ?? .null,
            "inviter": .string(try inviter().text), "madeAt": .number(Double(madeAt.secondsSince1970)),
        ]
    }
}

extension PairingState {
    fileprivate var words: String {
        switch self {
        case .serverKnown: "the server may hold the key"
        case .verified:
            "the partner's key is verified; the server may hold the couple's key until you rekey"
        case .rekeyed: "the server never saw the key"
        case .alone: "only this device has the key"
        case .paired: "private: the key never passed through the server"
        }
    }
}
