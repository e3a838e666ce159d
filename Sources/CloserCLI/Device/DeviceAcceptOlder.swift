internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct AcceptOlder: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept-older",
            abstract: "Accept a vault that you have put back, although this machine saw a newer one.",
            discussion: """
                Its open offers are closed. What only the newer vault has is lost: pins, verified partners, answers. The newer vault \
                is refused after this.
                """)

        @Flag(help: "Accept it even if the newer vault is still where this machine saw it last.") var yes =
            false
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = try Inputs([vault.inputName])
            let chosen = try vault.chosen(&inputs)
            let (opened, keyFile) = try vault.open(chosen, &inputs, asksAgain: true, accepting: true)
            let older = chosen.known.flatMap { opened.follows($0.version) ? nil : $0 }
            if let older { try accept(opened, at: chosen.storage.path, over: older) }
            try VaultMemo(chosen.storage.path, keyFile).remember(opened)
            let user = try opened.device.userID.text
            let isAccepted = older != nil || chosen.other != nil
            try Output(output).report(
                "\(opened.name) of \(user) is \(isAccepted ? "now the newest vault" : "the newest vault that this machine knows")"
                    .plainLine,
                json: [
                    "vault": .string(opened.name), "userId": .string(user), "accepted": .bool(isAccepted),
                    "changes": .number(Double(opened.version.changeCount)),
                ])
        }

        private func accept(_ vault: Vault, at place: String, over known: KnownVault) throws {
            if !yes, let path = known.path, path != place, vault.isFollowed(at: path, known.version) {
                throw CLIError(
                    .inputRequired, "the newer vault is still at \(path), and would be refused after this",
                    hint: "use that one; or, to give it up, pass --yes")
            }
            do { try vault.acceptAsNewest(after: known.version) } catch let error {
                guard case .cannotWrite = error else { throw error }
                throw CLIError(
                    error.words, hint: "copy it to a folder that you can write, and accept it there")
            }
            Diagnostics.warn("open offers are closed: type only codes made after now")
            Diagnostics.warn(
                "what was verified, pinned or given to a partner since is lost: pair again if you gave keys away"
            )
        }
    }
}
