internal import ArgumentParser
internal import CloserKeys
internal import CloserSystem
internal import CloserVault
internal import CloserWire

/// Which couple, and in which vault: the one that is named, or else the vault's only one.
///
/// Where a couple begins or ends, it is always named: ``CoupleOptions``.
struct CoupleChoice: ParsableArguments {
    static let help = ArgumentHelp(
        "The couple; by default $CLOSER_KEYS_COUPLE, or the vault's only one.", valueName: "id")

    @Option(help: help) var couple: String?
    @OptionGroup(title: "Vault options") var vault: VaultOptions

    var mayAsk: Bool { !vault.passphrase.noInput }

    func open(_ inputs: inout Inputs) throws -> (Vault, CoupleID) { try vault.open(&inputs, couple: couple) }
}

extension VaultOptions {
    func open(_ inputs: inout Inputs, couple: String?) throws -> (Vault, CoupleID) {
        let named = try CoupleID.named(couple)
        let vault = try open(&inputs)
        // A new vault is empty, which `onlyCouple` reports before the name matters.
        guard let named, vault.version.changeCount > 1 else { return (vault, try vault.onlyCouple) }
        return (vault, named)
    }
}

extension CoupleID {
    /// The one that an option or the environment names.
    static func named(_ option: String?) throws -> CoupleID? {
        try (option ?? Environment.setting("CLOSER_KEYS_COUPLE")).map { try CoupleID(parsing: $0) }
    }

    /// The one that is named, where no vault says which there are.
    static func needed(_ option: String?) throws -> CoupleID {
        guard let named = try named(option) else { throw missing }
        return named
    }

    static let missing = CLIError(.usage, "missing expected argument '--couple <id>'")
}

extension Vault {
    fileprivate var onlyCouple: CoupleID {
        get throws {
            let (none, held) = (
                CLIError(.noKey, "this vault has no couple", hint: CoupleCommand.begin), try coupleIDs
            )
            return try (held.isEmpty ? waitingCoupleIDs : held)
                .only(or: none, "this vault has several couples", "--couple")
        }
    }
}

/// Who the partner is: the one that is named, or else the couple's only one.
struct PartnerChoice: ParsableArguments {
    @Option("The partner's id; by default the couple's only one.", value: "id") var partner: String?

    /// Counts only partners whose key is here.
    func id(of couple: CoupleID, in vault: Vault) throws -> UserID {
        _ = try vault.couple(couple)
        if let partner { return try UserID(parsing: partner) }
        return try only(of: try vault.partners(of: couple), in: couple)
    }

    /// Finds the partner in an overview that was read before, without another look into the vault.
    func id(of whole: CoupleOverview) throws -> UserID {
        try partner.map { try UserID(parsing: $0) } ?? only(of: whole.partners, in: whole.id)
    }

    private func only(of partners: [Partner], in couple: CoupleID) throws -> UserID {
        let known = partners.filter { $0.key != nil }.map(\.userID)
        let none = CLIError(
            .noKey, "this device knows no partner's key of \(couple.text)",
            hint: "name the partner with --partner, and their key with --partner-key")
        return try known.only(or: none, "this couple has several partners", "--partner")
    }
}

extension Array {
    /// The only element. The error for several lists them, and names the option that chooses one.
    fileprivate func only<Noun>(
        or none: CLIError, _ several: String, _ option: String
    ) throws -> Element where Element == Identifier.Of<Noun> {
        guard let first else { throw none }
        guard count == 1 else {
            throw CLIError(
                .inputRequired, "\(several): \(map(\.text).listed)", hint: "name one with \(option)")
        }
        return first
    }
}

extension [String] {
    /// For a message: the first five, and how many more there are.
    var listed: String {
        let shown = prefix(5).joined(separator: ", ")
        return count > 5 ? "\(shown) and \(count - 5) more" : shown
    }
}
