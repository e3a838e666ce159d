internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a couple, or print one of its documents.")

        @Flag(help: "Print the JSON document that the app's server stores of the couple.") var document =
            false
        @Flag(help: "Print the invite again, if it was made here; it is secret.") var invite = false
        @OptionGroup var couple: CoupleOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            guard !document || !invite else {
                throw Failure(.usage, "give --document or --invite, not both")
            }
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            let summary = try CoupleSummary(id, vault)
            if document {
                let bytes = try vault.couple(id).document.bytes
                return try output.deliver(bytes.span, .json, named: "couple", inputs: inputs)
            }
            guard invite else {
                return try output.report(summary.lines, json: summary.json, inputs: inputs)
            }
            try vault.invite(of: id).withBytes {
                try output.deliver(
                    $0, .secretLine, named: "invite", details: summary.members, inputs: inputs)
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the couples of this vault.")

        @OptionGroup var vault: VaultOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let vault = try vault.open(&inputs)
            let summaries = try vault.couples.map { try CoupleSummary($0.id, vault) }
            let lines = summaries.map(\.line)
            let json: JSONValue = ["couples": .array(summaries.map(\.json))]
            guard !lines.isEmpty || output.json else { return Messages.note("no couples yet") }
            try output.report(lines.joined(separator: "\n"), json: json, inputs: inputs)
        }
    }

    struct Recover: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bring a couple key back with the recovery phrase and the couple's document.",
            discussion: "Only the key comes back: no answers, no partner's keys, nothing that was verified.")

        @Argument(
            help: ArgumentHelp("The couple's document; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @Flag(
            help:
                "Only try: write nothing, and print the key's fingerprint; with --vault, compare the key, too."
        )
        var rehearse = false
        @OptionGroup var phrase: PhraseOptions
        @OptionGroup var couple: CoupleOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let id = try Identifier(parsing: couple.couple)
            let document = try inputs.document(file, "couple") { (bytes) throws(DocumentError) in
                try CoupleDocument(parsing: bytes)
            }
            let phrase = try phrase.read(&inputs, mayAsk: couple.mayAsk)
            do {
                rehearse
                    ? try tryOut(id, document, phrase, &inputs) : try recover(id, document, phrase, &inputs)
            } catch CoupleError.wrap(.authenticationFailed) {
                let words = phrase.advice().words
                throw Failure(
                    .authFailed, "it does not open: another phrase, or a changed byte",
                    hint: words?.hint ?? words?.message)
            }
        }

        private func recover(
            _ id: Identifier, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase,
            _ inputs: inout Inputs
        ) throws {
            let (vault, id) = try couple.open(&inputs)
            try vault.recover(id, from: document, phrase: phrase)
            Messages.note("only the couple key is back: answers of before, and what was verified, are not")
            let summary = try CoupleSummary(id, vault)
            try output.report("recovered \(id.text)\n\(summary.lines)", json: summary.json, inputs: inputs)
        }

        /// Needs no vault. With one that is named, the key must be the one that this device has.
        private func tryOut(
            _ id: Identifier, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase,
            _ inputs: inout Inputs
        ) throws {
            guard let wrap = document.wrap else { throw CoupleError.notEncrypted }
            let key: CoupleKey
            do { key = try wrap.unwrap(with: phrase) } catch { throw CoupleError.wrap(error) }
            if couple.vault.vault != nil, !key.hasAllKeys(of: try couple.open(&inputs).0.couple(id).key) {
                throw Failure(
                    .negative, code: "keyMismatch",
                    "the phrase opens the document, and in it is not the key of this device",
                    hint: "somebody has replaced the document: closer-keys couple show --document has yours")
            }
            let fingerprint = key.fingerprint(couple: id)
            try output.report(
                "the phrase opens the document\nfingerprint: \(fingerprint)",
                json: ["coupleId": .string(id.text), "opens": true, "fingerprint": .string(fingerprint)],
                inputs: inputs)
        }
    }
}

/// What may be shown of a couple.
struct CoupleSummary {
    let members: [JSONValue.Member]
    private let id: Identifier
    private let state: PairingState
    private let couple: Couple
    private let partners: [Partner]

    init(_ id: Identifier, _ vault: Vault) throws {
        (self.id, couple, state) = (id, try vault.couple(id), try vault.state(of: id))
        partners = try vault.partners(of: id)
        let couple = couple
        let keys = couple.key.keyset.entries.map { entry -> JSONValue in
            [
                "keyId": .number(Double(entry.id)), "origin": .string("\(couple.origin(ofKey: entry.id))"),
                "primary": .bool(entry.id == couple.key.keyset.primaryID),
            ]
        }
        let others = partners.map { partner -> JSONValue in
            [
                "userId": .string(partner.userID.text), "verified": .bool(partner.isVerified),
                "publicKey": partner.key.map { .string($0.description) } ?? .null,
            ]
        }
        members = [
            .init("coupleId", .string(id.text)), .init("state", .string(state.rawValue)),
            .init("encryptionVersion", .number(Double(couple.document.version.rawValue))),
            .init("fingerprint", .string(couple.fingerprint)), .init("keys", .array(keys)),
            .init("partners", .array(others)),
        ]
    }

    var json: JSONValue { .object(members) }

    /// One couple on one line.
    var line: String { "\(id.text)\t\(state.rawValue)\t\(couple.fingerprint)" }

    var lines: String {
        let keys = couple.key.keyset.entries.map { entry in
            let primary = entry.id == couple.key.keyset.primaryID ? ", primary" : ""
            return "key: \(entry.id), by \(couple.origin(ofKey: entry.id))\(primary)"
        }
        let others = partners.map {
            "partner: \($0.userID.text), \($0.isVerified ? "verified" : "not verified")"
        }
        let first = [
            "couple: \(id.text)", "state: \(state.rawValue) (\(state.words))",
            "fingerprint: \(couple.fingerprint)",
        ]
        return (first + keys + others).joined(separator: "\n")
    }
}

extension PairingState {
    fileprivate var words: String {
        switch self {
        case .serverKnown: "the server may hold the key"
        case .verified: "safety numbers compared; the server may hold the key until you rekey"
        case .rekeyed: "the server never saw the key"
        }
    }
}
