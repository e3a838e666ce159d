internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

extension PairCommand {
    struct Invite: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite",
            abstract: "Make a pairing code for the partner, and print the offer that goes with it.",
            discussion: """
                Send the offer through the app, and tell the code by voice or on paper, never through the app. Running it again \
                prints the same offer and code as long as the offer is open.
                """)

        @Flag(help: "Close the open offer, and make another.") var new = false
        @Flag(help: "Close the open offer.") var cancel = false
        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("How long the offer stays open, from 10m to 168h.", valueName: "time"))
        var time = TimeSpan("24h", seconds: 24 * 3600)
        @Option(file: "Write the code to this file; without it, it is shown on the terminal.")
        var codeFile: String?
        @OptionGroup var beginning: CoupleBeginning
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup var couple: CoupleOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard !cancel || (!new && codeFile == nil && phrase.isEmpty) else {
                throw CLIError(
                    .usage,
                    "--cancel makes nothing: leave out --new, --code-file, --phrase-file, --keep-phrase")
            }
            try time.check("--for", within: Vault.offerTimes)
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            guard !cancel else { return try close(vault, id, inputs) }
            try beginning.noteUnneeded(by: id, in: vault, keepingKnown: true)
            if !new, let pending = try vault.pendingOffer(of: id) {
                let place = try SecretDestination(
                    for: pending.code, file: codeFile, &inputs, mayAsk: couple.mayAsk)
                let result = try Output(output, .json, inputs: inputs)
                phrase.noteUnused(by: id)
                try vault.overview(of: id).notePhrase()
                return try give(pending.offer, pending.code, place, result, vault)
            }
            try make(vault, id, &inputs)
        }

        private func make(_ vault: Vault, _ id: CoupleID, _ inputs: inout Inputs) throws {
            let draft = try vault.draftOffer(
                of: id, beginningAt: beginning.version, openFor: .seconds(time.seconds), replacing: new)
            let code = try SecretDestination(
                for: draft.code, file: codeFile, &inputs, mayAsk: couple.mayAsk)
            try vault.noteIfNew(id)
            switch draft.phrase {
            case .some(let phrase):
                let place = try self.phrase.place(&inputs, mayAsk: couple.mayAsk)
                let result = try Output(output, .json, inputs: inputs)
                try place.give(phrase, of: id, in: vault, .made, keeping: self.phrase.keeps) {
                    try vault.store(draft)
                }
                try give(draft.offer, draft.code, code, result, vault)
            case .none:
                let result = try Output(output, .json, inputs: inputs)
                try vault.store(draft)
                phrase.noteUnused(by: id)
                try give(draft.offer, draft.code, code, result, vault)
            }
        }

        /// The offer is stored by now: if a step fails here, the same command gives it again.
        private func give(
            _ offer: PairOffer, _ code: borrowing PairingCode, _ place: consuming SecretDestination,
            _ result: consuming Output, _ vault: Vault
        ) throws {
            try place.give(code, of: offer.couple)
            try result.deliver(
                offer.bytes, named: "offer", details: try CoupleSummary(offer.couple, vault).members)
            Diagnostics.note(
                "send \(output.named("offer")) to your partner, and tell them the code by voice",
                next: NextCommand.line("pair confirm REPLY"))
        }

        private func close(_ vault: Vault, _ id: CoupleID, _ inputs: Inputs) throws {
            let result = try Output(output, .line, inputs: inputs)
            let wasOpen = try vault.cancelOffer(of: id)
            try result.report(
                wasOpen ? "the offer is closed, and its code no longer works" : "no offer was open",
                json: ["coupleId": .string(id.text), "wasOpen": .bool(wasOpen)])
        }
    }
}

extension SecretDestination {
    /// A file that has this code already is left as it is.
    fileprivate init(
        for code: borrowing PairingCode, file path: String?, _ inputs: inout Inputs, mayAsk: Bool
    ) throws {
        if let path, try inputs.holds(code, at: path) {
            self.init(nowhere: .code)
        } else {
            try self.init(.code, file: path, &inputs, mayAsk: mayAsk)
        }
    }

    fileprivate consuming func give(_ code: borrowing PairingCode, of couple: CoupleID) throws {
        guard try !write(code.text, before: {}) else { return }
        switch terminal {
        case .some(let terminal): try code.showUntilTold(on: terminal, .atCode(of: couple))
        case .none: break
        }
    }
}

extension Inputs {
    fileprivate mutating func holds(_ code: borrowing PairingCode, at path: String) throws -> Bool {
        guard path != "-", Paths.isRegular(path), let descriptor = try openRegular(path) else { return false }
        let text = try secret(from: descriptor, maximumByteCount: SecretSource.maximumByteCount)
        guard let written = try? PairingCode(typed: text) else { return false }
        return written.text.isEqual(to: code.text)
    }
}

extension Interruption {
    fileprivate static func atCode(of couple: CoupleID) -> Interruption {
        Interruption(
            message: "the offer to \(couple.text) was made before you stopped",
            hint: "closer-keys pair invite \(couple.option) shows its code again")
    }
}

extension PairingCode {
    /// Shows it, until the person says that their partner has it.
    fileprivate borrowing func showUntilTold(
        on terminal: borrowing Terminal, _ interruption: Interruption
    ) throws {
        let text = text
        let page = SecretBytes(capacity: 64 + text.count) { page in
            page.append("pairing code, for your partner alone:\n\n    ")
            text.withBytes { page.append($0) }
            page.append("\n\n")
        }
        Exit.say(interruption)
        try page.withBytes { page in
            try terminal.erasing(page) { show in
                try show()
                try terminal.waitForEnter("press Enter when you have told it")
            }
        }
        Exit.say(nil)
    }
}
