#if CommandLine
internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserWire

struct FieldCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "field", abstract: "Seal and open encrypted fields, enc:v1:.",
        subcommands: [Seal.self, Open.self])

    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a plaintext, verbatim, into a token for this couple.")

        @OptionGroup var key: CoupleKeyOptions
        @Flag(
            help:
                "With --require-rekeyed --jsonl: seal also what the server could have written before the rekey or the pairing."
        )
        var trustOld = false
        @Flag(help: "With --jsonl: pass what is sealed already, and seal what is plaintext.")
        var migrate = false
        @Argument(
            help: ArgumentHelp("The plaintext; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var batch: BatchOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard !trustOld || (key.requireRekeyed && batch.jsonl) else {
                throw CLIError(.usage, "--trust-old goes with --require-rekeyed and --jsonl")
            }
            guard !migrate || batch.jsonl else { throw CLIError(.usage, "--migrate goes with --jsonl") }
            var inputs = try Inputs([.file(key.keysetFile), key.vault.inputName, .fileOrStandardInput(file)])
            let current = try key.read(from: &inputs)
            current.tellIfServerKnown()
            guard !migrate else {
                return try batch.migrate(file, with: current, trustingOld: trustOld, output, inputs: &inputs)
            }
            guard !batch.jsonl else {
                return try batch.seal(file, with: current, trustingOld: trustOld, output, inputs: &inputs)
            }
            let plaintext = try inputs.bytes(file, maximumByteCount: CoupleKey.maximumFieldByteCount)
            try plaintext.span.refuseToken()
            let key = try current.now
            let token = try key.seal(plaintext)
            try Output(output, .line, inputs: inputs).deliver(
                token.text, named: "token", details: key.details(key.primaryID))
        }
    }

    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Open a token of this couple and give back its plaintext, verbatim.")

        @OptionGroup var key: CoupleKeyOptions
        @Flag(help: "With --jsonl: pass plaintext, too, while the couple is below version 2.")
        var mixed = false
        @Argument(
            help: ArgumentHelp("The token; standard input by default.", valueName: "file"),
            completion: .file()) var file: String?
        @OptionGroup var batch: BatchOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard !mixed || (batch.jsonl && key.keysetFile == nil) else {
                throw CLIError(
                    .usage, "--mixed goes with --jsonl and a vault, which knows the couple's version")
            }
            var inputs = try Inputs([.file(key.keysetFile), key.vault.inputName, .fileOrStandardInput(file)])
            let current = try key.read(from: &inputs)
            guard !batch.jsonl else {
                return try batch.open(file, with: current, mixed: mixed, output, inputs: &inputs)
            }
            let token = try FieldToken(reading: try inputs.text(file))
            let key = try current.now
            let opened = try current.naming(token) { try key.open(token) }
            key.tellIfOlder(opened.keyID, "field")
            try Output(output, .verbatim, inputs: inputs).deliver(
                opened.plaintext, named: "plaintext", details: key.details(opened.keyID))
        }
    }
}
#endif
