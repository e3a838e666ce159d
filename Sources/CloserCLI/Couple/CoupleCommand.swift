#if CommandLine
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
            Show.self, List.self, Create.self, Join.self, Recover.self, Rewrap.self, Verify.self, Rekey.self,
            Retire.self, Forget.self,
        ])
}

/// Which couple.
struct CoupleName: ParsableArguments {
    @Option(help: ArgumentHelp("The couple; nothing else names it here.", valueName: "id"))
    var couple: String

    var id: CoupleID {
        get throws { try CoupleID(parsing: couple) }
    }
}

/// Which couple, and in which vault, where a couple begins or ends: nothing stands in for its name.
struct CoupleOptions: ParsableArguments {
    @OptionGroup var name: CoupleName
    @OptionGroup(title: "Vault options") var vault: VaultOptions

    var mayAsk: Bool { !vault.passphrase.noInput }

    /// Opens the vault.
    func open(_ inputs: inout Inputs) throws -> (Vault, CoupleID) {
        let id = try name.id
        return (try vault.open(&inputs), id)
    }
}

/// All of a couple that may be shown.
struct CoupleSummary {
    let members: [JSONValue.Member]
    private let id: CoupleID
    private let state: PairingState
    private let couple: Couple
    private let partners: [Partner]

    init(_ id: CoupleID, _ vault: Vault) throws { self.init(try vault.overview(of: id)) }

    init(_ whole: CoupleOverview) {
        let (id, couple) = (whole.couple.id, whole.couple)
        (self.id, self.couple, state, partners) = (id, couple, whole.state, whole.partners)
        let keys = couple.key.keyset.entries.map { entry -> JSONValue in
            [
                "keyId": .number(Double(entry.id)),
                "origin": .string(couple.origin(ofKey: entry.id).rawValue),
                "primary": .bool(entry.id == couple.key.keyset.primaryID),
            ]
        }
        let others = partners.map { partner -> JSONValue in
            [
                "userId": .string(partner.userID.text), "verified": .bool(partner.isVerified),
                "publicKey": partner.key.map { .string($0.description) } ?? .null,
                "verifiedBy": partner.isVerified
                    ? partner.verifiedBy.map { .string($0.rawValue) } ?? .null : .null,
                "x25519PublicKey": partner.x25519Key.map { .string($0.description) } ?? .null,
            ]
        }
        members = [
            .init("coupleId", .string(id.text)), .init("state", .string(state.rawValue)),
            .init("encryptionVersion", .number(Double(couple.document.version.rawValue))),
            .init("fingerprint", .string(couple.fingerprint)), .init("keys", .array(keys)),
            .init("partners", .array(others)),
            .init("pairing", whole.pairings.last?.json ?? .null),
            .init("phrase", couple.phrase.map { .string($0.name) } ?? .null),
        ]
    }

    var json: JSONValue { .object(members) }

    /// A key opens under any couple's name: only people can see that it came to the right one.
    func noteFingerprint() {
        Diagnostics.note(
            "your partner's device must show the same fingerprint; if it does not, one of you mistyped the couple"
        )
    }

    /// One couple on one line.
    var line: String { "\(id.text)\t\(state.rawValue)\t\(couple.fingerprint)" }

    var lines: String {
        let keys = couple.key.keyset.entries.map { entry in
            let primary = entry.id == couple.key.keyset.primaryID ? ", primary" : ""
            return "key: \(entry.id), \(couple.origin(ofKey: entry.id).words)\(primary)"
        }
        let others = partners.map {
            "partner: \($0.userID.text), \($0.words)"
        }
        let first = [
            "couple: \(id.text)", "state: \(state.rawValue) (\(state.words))",
            "fingerprint: \(couple.fingerprint)",
        ]
        let phrase = couple.phrase == .notConfirmed ? ["phrase: not confirmed"] : []
        return (first + phrase + keys + others).joined(separator: "\n")
    }
}

extension KeyOrigin {
    fileprivate var words: String {
        switch self {
        case .invite, .rekey, .pairing: "by \(rawValue)"
        case .given: "given away"
        case .exposed: "exposed"
        }
    }
}

extension Partner {
    fileprivate var words: String {
        switch isVerified ? verifiedBy : nil {
        case .safetyNumber: "verified"
        case .code: "verified by a code"
        case nil: "not verified"
        }
    }
}

extension StoredPairing {
    /// How far it is. The code is not in it.
    fileprivate var json: JSONValue {
        [
            "role": .string(isInvite ? "inviter" : "acceptor"), "lookup": .string(lookup.text),
            "status": .string(status.rawValue), "expiresAt": end.map { .number(Double($0)) } ?? .null,
        ]
    }
}

extension PairingState {
    fileprivate var words: String {
        switch self {
        case .serverKnown: "the server may hold the key"
        case .verified:
            "the partner's key was compared, or named in a pairing; somebody else may hold the couple's key until you rekey"
        case .rekeyed: "the server never saw the key"
        case .alone: "only this device has the key"
        case .paired: "the server never saw the key, and whoever has it knew the code"
        }
    }
}
#endif
