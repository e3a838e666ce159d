internal import ArgumentParser
internal import CloserKeys
internal import CloserVault

/// The four steps of a pairing, in their order. The first and the third are the inviter's, the others the acceptor's.
struct PairCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Become a couple with a code, or add a new phone.",
        subcommands: [Invite.self, Accept.self, Confirm.self, Finish.self])
}

/// Which pairing of which vault a document belongs to.
struct PairingOptions: ParsableArguments {
    @Option("The couple; by default the one whose pairing here has the document's code.", value: "id")
    var couple: String?
    @OptionGroup(title: "Vault options") var vault: VaultOptions

    var mayAsk: Bool { !vault.passphrase.noInput }

    func open(
        _ inputs: inout Inputs, _ lookup: PairingCode.Lookup, isOffer: Bool
    ) throws -> (Vault, CoupleID) {
        let named = try couple.map { try CoupleID(parsing: $0) }
        let vault = try vault.open(&inputs)
        return (vault, try named ?? vault.couple(ofPairing: lookup, isOffer: isOffer))
    }
}
