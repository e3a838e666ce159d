internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Print the digits that show two partners whether a key was swapped.",
            discussion: """
                With --digits or --scanned it compares: if they are equal, the partner is verified and the exit code is 0; \
                otherwise it is 1.
                """)

        @OptionGroup var partner: PartnerChoice
        @Option(
            "The partner's public key, a pub:v1: token; by default the one that is pinned.", value: "token")
        var partnerKey: String?
        @OptionGroup var comparison: SafetyNumberComparison
        @OptionGroup var picture: SafetyNumberPicture
        @OptionGroup var couple: CoupleChoice
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.file(comparison.scanned), couple.vault.inputName])
            try picture.check(output, comparison)
            let key = try partnerKey.map { try PublicKeyToken(reading: $0) }
            let theirs = try comparison.read(&inputs)
            let (vault, id) = try couple.open(&inputs)
            let partner = try partner.id(of: id, in: vault)
            let pinned = try vault.partners(of: id).first { $0.userID == partner }?.key
            if let key, let pinned, key != pinned {
                Diagnostics.warn(
                    "another key of this partner is pinned; if the digits agree, this key replaces it")
            }
            guard let theirs else {
                let number = try vault.safetyNumber(of: id, partner: partner, key: key)
                return try picture.deliver(number, output, inputs: inputs)
            }
            let result = try Output(output, .line, inputs: inputs)
            _ = try vault.tellingLoss(of: try vault.overview(of: id)) {
                try vault.verify(partner: partner, of: id, key: key, against: theirs)
            }
            let state = try vault.pairingState(of: id).rawValue
            try result.report(
                "verified",
                json: [
                    "verified": true, "safetyNumber": .string(theirs.description), "state": .string(state),
                ])
        }
    }
}
