internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

struct CheckCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say whether a JSON document satisfies the server's rules.",
        subcommands: [
            Couple.self, Invite.self, Answer.self, ReleaseKey.self, Device.self, Rekey.self, PairOffer.self,
            PairReply.self,
            PairGrant.self,
        ])

    struct Couple: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "couple", abstract: "Check the stored document of a couple.")

        @Option(
            help: ArgumentHelp(
                "The document that was stored before; the new one must not lower the encryption version.",
                valueName: "file"),
            completion: .file())
        var previous: String?
        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = try Inputs([.file(previous), .fileOrStandardInput(subject.file)])
            let before = try previous.map { path in
                try inputs.document(path, "couple", called: "previous couple") {
                    (bytes) throws(DocumentError) in
                    try CoupleDocument(parsing: bytes)
                }
            }
            try subject.judge("couple", &inputs) { (bytes) throws(DocumentError) in
                let document = try CoupleDocument(parsing: bytes)
                if let before { try document.check(after: before) }
                if document.wrap == nil {
                    Diagnostics.warn("there is no key in it: this couple is not encrypted")
                }
            }
        }
    }

    struct Invite: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "invite", abstract: "Check an invite.")

        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = Inputs()
            let document = try inputs.secret(
                subject.file, maximumByteCount: Inputs.maximumDocumentByteCount)
            try document.withBytes { try FileKind.check($0, isDocument: "invite") }
            do {
                _ = try InviteDocument(parsing: document)
                try subject.tell("invite", [], inputs)
            } catch let error as DocumentError { try subject.tell("invite", error, inputs) }
        }
    }

    struct Answer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "answer",
            abstract: "Check the stored document of a sealed answer, or of a message in a thread.")

        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = Inputs()
            try subject.judge("answer", &inputs) { (bytes) throws(DocumentError) in
                _ = try AnswerDocument(parsing: bytes)
            }
        }
    }

    struct ReleaseKey: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "release-key", abstract: "Check the stored document of a release.")

        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = Inputs()
            try subject.judge("release-key", &inputs) { (bytes) throws(DocumentError) in
                _ = try ReleaseKeyDocument(parsing: bytes)
            }
        }
    }

    struct Rekey: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rekey", abstract: "Check the document that one partner sends in a rekey.")

        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = Inputs()
            try subject.judge("rekey", &inputs) { (bytes) throws(DocumentError) in
                _ = try RekeyDocument(parsing: bytes)
            }
        }
    }

    struct Device: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "device", abstract: "Check the stored document of a device.")

        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = Inputs()
            try subject.judge("device", &inputs) { (bytes) throws(DocumentError) in
                _ = try DeviceDocument(parsing: bytes)
            }
        }
    }
}

/// The document to be checked, and where the verdict goes.
struct CheckOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The JSON document; standard input by default.", valueName: "file"),
        completion: .file())
    var file: String?
    @OptionGroup var output: OutputOptions

    /// Checks a document that holds no secret.
    func judge(
        _ noun: String, _ inputs: inout Inputs, _ check: ([UInt8]) throws(DocumentError) -> Void
    ) throws {
        let bytes = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
        try FileKind.check(bytes.span, isDocument: noun)
        do { try check(bytes) } catch { return try tell(noun, error, inputs) }
        try tell(noun, [], inputs)
    }

    func tell(_ noun: String, _ error: DocumentError, _ inputs: Inputs) throws {
        guard case .broken(let broken) = error else { throw CLIError(error, noun: noun) }
        try tell(noun, broken, inputs)
    }

    /// Prints the verdict, which is the result; if a rule is broken, the run ends with exit code 1.
    func tell(_ noun: String, _ broken: [BrokenRule], _ inputs: Inputs) throws {
        let rules = broken.map { rule -> JSONValue in
            [
                "rule": .string(rule.id), "member": .string(rule.member),
                "requirement": .string(rule.rule.requirement),
            ]
        }
        let lines = broken.map { "\($0.id): \($0.member) \($0.rule.requirement)" }
        try Output(output, .line, inputs: inputs).report(
            lines.isEmpty ? "ok" : lines.joined(separator: "\n"),
            json: [
                "document": .string(noun), "valid": .bool(broken.isEmpty), "broken": .array(rules),
            ])
        guard !broken.isEmpty else { return }
        throw CLIError.reported(
            "the \(noun) document breaks \(broken.count == 1 ? "a rule" : "\(broken.count) rules")")
    }
}
