internal import ArgumentParser
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct PolicyVerb: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "policy", abstract: "Show or change the policy of this device.")

        @Flag(
            inversion: .prefixedNo,
            help: """
                Allow pairings only: refuse legacy invites, which a server could read, and releases to an unverified key.
                """)
        var requirePaired: Bool?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = try Inputs([vault.inputName])
            let vault = try vault.open(&inputs)
            if let requirePaired { try vault.setPolicy(Policy(requiresPairing: requirePaired)) }
            try Output(output).report([.init("requirePaired", .bool(try vault.policy.requiresPairing))])
        }
    }
}
