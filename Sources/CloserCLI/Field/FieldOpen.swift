internal import ArgumentParser
internal import CloserKeys
internal import CloserWire

extension FieldCommand {
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
        @Argument(file: "The token; standard input by default.") var file: String?
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
                try current.explaining(token) {
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
