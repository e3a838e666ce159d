internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserWire

struct FieldCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "field", abstract: "Seal and open encrypted fields, enc:v1: and enc:v2:.",
        subcommands: [Seal.self, Open.self])

    struct Seal: ParsableCommand, BatchVerb {
        static let lines = "plaintext or plaintextBase64 becomes token"
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a plaintext, verbatim, into a token for this couple.")

        @OptionGroup var key: CoupleKeyOptions
        @Option(help: "Where your app keeps the field: it opens at no other place. Writes enc:v2:.")
        var place: String?
        @Flag(help: "With --jsonl: seal also what the server could have written, or moved, before.")
        var trustOld = false
        @Flag(help: "With --jsonl: pass what is sealed already, and seal what is plaintext.")
        var migrate = false
        @Argument(
            help: ArgumentHelp("The plaintext; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var batch: BatchOptions<Seal>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard !trustOld || batch.jsonl else { throw CLIError(.usage, "--trust-old goes with --jsonl") }
            guard !migrate || batch.jsonl else { throw CLIError(.usage, "--migrate goes with --jsonl") }
            let place = try batch.place(place)
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
            let key = try current.now.key
            try Output(output, .line, inputs: inputs).deliver(
                key.seal(plaintext, place: place).text, named: "token", details: key.details(key.primaryID))
        }
    }

    struct Open: ParsableCommand, BatchVerb {
        static let lines = "token becomes plaintext or plaintextBase64"
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Open a token of this couple and give back its plaintext, verbatim.")

        @OptionGroup var key: CoupleKeyOptions
        @Flag(help: "With --jsonl: pass plaintext, too, while the couple is below version 2.")
        var mixed = false
        @Option(help: "Where you found the field: it must have been sealed for this place.")
        var place: String?
        @Flag(help: "With a place: open also an enc:v1: field, which the server may have moved there.")
        var allowUnbound = false
        @Argument(
            help: ArgumentHelp("The token; standard input by default.", valueName: "file"),
            completion: .file()) var file: String?
        @OptionGroup var batch: BatchOptions<Open>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard !allowUnbound || place != nil || batch.jsonl else {
                throw CLIError(.usage, "--allow-unbound goes with --place or --jsonl")
            }
            guard !mixed || (batch.jsonl && key.keysetFile == nil) else {
                throw CLIError(
                    .usage, "--mixed goes with --jsonl and a vault, which knows the couple's version")
            }
            let place = try batch.place(place)
            var inputs = try Inputs([.file(key.keysetFile), key.vault.inputName, .fileOrStandardInput(file)])
            let current = try key.read(from: &inputs)
            guard !batch.jsonl else {
                return try batch.open(
                    file, with: current, mixed: mixed, allowingUnbound: allowUnbound, output,
                    inputs: &inputs)
            }
            let token = try inputs.text(file)
            let key = try current.now.key
            var (box, plaintext): ([UInt8], [UInt8]) = ([], [])
            let proof = try token.span.asField {
                try current.naming(token) {
                    try key.open(
                        token.span, at: place, allowingUnbound: allowUnbound, through: &box, into: &plaintext)
                }
            }
            key.tellIfOlder(proof.keyID, "field")
            proof.tellIfUnbound()
            try Output(output, .verbatim, inputs: inputs).deliver(
                plaintext, named: "plaintext", details: proof.details)
        }
    }
}
