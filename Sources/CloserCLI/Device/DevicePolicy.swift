#if CommandLine
internal import ArgumentParser
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct PolicyVerb: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "policy", abstract: "Show what this device insists on, or change it.")

        @Flag(
            inversion: .prefixedNo,
            help: """
                Take part in pairings only: make and join no invite that a server could read, and release no answer to an \
                unverified key.
                """)
        var requirePaired: Bool?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = try Inputs([vault.inputName])
            let vault = try vault.open(&inputs)
            if let requirePaired { try vault.set(Policy(requiresPairing: requirePaired)) }
            try Output(output).report([.init("requirePaired", .bool(try vault.policy.requiresPairing))])
        }
    }
}
#endif
