internal import ArgumentParser
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Link: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link",
            abstract: "Make a link that brings the vault's key to another device of yours.",
            discussion: """
                It prints a document, which may pass through the server, and shows the code that opens it, which may not. The vault stays \
                as it is.
                """)

        @Option(file: "Write the code to this file; without it, it is shown on the terminal.")
        var codeFile: String?
        @Flag(help: "Show the code as a QR code, too.") var qr = false
        @Flag(help: "Make the link without asking.") var yes = false
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            try checkQR()
            var inputs = try Inputs([vault.inputName])
            let chosen = try vault.chosen(&inputs)
            guard chosen.locked.protection == .key else { throw DeviceLink.Failure.passphrase }
            let (opened, keyFile) = try vault.open(chosen, &inputs, asksAgain: true)
            try confirm()
            let key = try inputs.secret(keyFile, maximumByteCount: Credential.keyFileByteCount)
            let place = try SecretDestination(
                .code, file: codeFile, &inputs, mayAsk: !vault.passphrase.noInput)
            let result = try Output(output, .json, inputs: inputs)
            let link = try opened.link(sharing: key)
            try place.give(link.code, asQR: qr)
            try result.deliver(link.document, named: "link")
            Diagnostics.note(
                "bring \(output.named("link")) to your other device, which has the vault, and the code by hand",
                next: "closer-keys device join --key-file NEW LINK")
        }

        private func checkQR() throws {
            guard qr else { return }
            guard codeFile == nil else {
                throw CLIError(.usage, "--qr is for the terminal: leave out --code-file")
            }
            guard QRCode.libraryVersion != nil else {
                throw CLIError(.usage, "on a Mac this program draws no QR code", hint: "type the code")
            }
        }

        private func confirm() throws {
            guard !yes else { return }
            let warning = "a thief who gets the code and the document of a link becomes you"
            guard !vault.passphrase.noInput, let terminal = Terminal.open() else {
                throw CLIError(.inputRequired, warning, hint: "use --yes")
            }
            try terminal.confirm("\(warning): make one?", or: "no link was made")
        }
    }
}

extension SecretDestination {
    fileprivate consuming func give(_ code: borrowing DeviceLink.Code, asQR: Bool) throws {
        guard try !write(code.text, before: {}) else { return }
        switch terminal {
        case .some(let terminal): try code.showUntilTyped(on: terminal, asQR: asQR)
        case .none: break
        }
    }
}

extension DeviceLink.Code {
    /// Shows it until the person says that the other device has it. The picture stands above the text: a small window scrolls its margin
    /// away. It passes through memory that is not wiped.
    fileprivate borrowing func showUntilTyped(on terminal: borrowing Terminal, asQR: Bool) throws {
        let picture = symbols.withBytes {
            asQR ? QRPicture([UInt8](copying: $0)).text(isColoured: true) + "\n\n" : ""
        }
        let text = text
        let page = SecretBytes(capacity: 64 + picture.utf8.count + text.count) { page in
            page.append("code of the link, for your other device alone:\n\n\(picture)    ")
            text.withBytes { page.append($0) }
            page.append("\n\n")
        }
        try page.withBytes { page in
            try terminal.erasing(page) { show in
                try show()
                try terminal.waitForEnter("press Enter when you have typed it there")
            }
        }
    }
}
