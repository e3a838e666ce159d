internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show who this device is. Prints no secret without --identity.")

        @Flag(help: "Print the JSON document that the app's server stores for a device.") var document = false
        @Option(help: ArgumentHelp("With --document: what the device runs on.", valueName: "name"))
        var platform = "closer-keys"
        @Flag(help: "Write the identity's private keys instead, as a keyset for an app with Tink.")
        var identity = false
        @Flag(help: "Confirm --identity: a thief of these keys opens what is released to you.") var yes =
            false
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard !identity else { return try writeIdentity() }
            var inputs = Inputs()
            let vault = try vault.open(&inputs)
            guard document else {
                let summary = try DeviceSummary(vault)
                return try Output(output, .line, inputs: inputs).report(summary.members)
            }
            let document: DeviceDocument
            do { document = try DeviceDocument(try vault.device.publicKey, platform: platform) } catch let
                error
                as DocumentError
            { throw CLIError(error, noun: "device") }
            try Output(output, .json, inputs: inputs).deliver(document.bytes, named: "device")
        }

        private func writeIdentity() throws {
            guard yes, !document else {
                throw document
                    ? CLIError(.usage, "use either --document or --identity")
                    : CLIError(
                        .inputRequired, "a thief of these keys opens what is released to you",
                        hint: "use --yes, and keep the file where only you can read it")
            }
            var inputs = try Inputs([vault.inputName])
            try output.check(.secret)
            let opened = try vault.open(&inputs, asksAgain: true)
            let result = try Output(output, .secret, inputs: inputs)
            let keyset = InsecureCleartextKeyset.binary(try opened.device.identity)
            try result.deliver(keyset, named: "identity")
        }
    }
}

/// All of a device that may be shown.
struct DeviceSummary {
    let members: [JSONValue.Member]

    init(_ vault: Vault) throws {
        let overview = try vault.overview
        let device = overview.device
        var members: [JSONValue.Member] = [
            .init("userId", .string(device.userID.text)),
            .init("publicKey", .string(device.publicKey.description)),
            .init("x25519PublicKey", .string(device.x25519PublicKey)),
            .init("vault", .string(vault.name)),
        ]
        switch overview.protection {
        case .key:
            members.append(.init("protection", "keyFile"))
            if let path = try KnownVaults.ours?.vault(vault.id)?.keyFile {
                members.append(.init("keyFile", .string(path)))
            }
        case .passphrase:
            members.append(.init("protection", "passphrase"))
            if UnlockedVault.unlocking(try LockedVault(at: vault.name)) != nil {
                members.append(.init("unlocked", .bool(true)))
            }
        }
        members.append(.init("couples", .number(Double(overview.coupleCount))))
        self.members = members + [.init("changes", .number(Double(overview.changeCount)))]
    }
}
