internal import ArgumentParser
internal import CloserKeys
internal import CloserWire

extension FieldCommand {
    struct Seal: ParsableCommand, BatchVerb {
        static let lines = "plaintext or plaintextBase64 becomes token"
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a plaintext, verbatim, into a token for this couple.")

        /// 1 MiB less 89 bytes (Firestore, Usage and limits).
        private static let mostInFirestore = 1_048_487

        @OptionGroup var key: CoupleKeyOptions
        @Option(help: "Where your app keeps the field: it opens at no other place. Writes enc:v2:.")
        var place: String?
        @Flag(help: "With --jsonl: seal also what the server could have written, or moved, before.")
        var trustOld = false
        @Flag(help: "With --jsonl: pass what is sealed already, and seal what is plaintext.")
        var migrate = false
        @Argument(file: "The plaintext; standard input by default.") var file: String?
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
            let token = try key.seal(plaintext, place: place).text
            if token.count > Self.mostInFirestore {
                Diagnostics.note(
                    "this token has more than the \(Self.mostInFirestore) bytes of a value in Firestore")
            }
            try Output(output, .line, inputs: inputs).deliver(
                token, named: "token", details: key.details(key.primaryID))
        }
    }
}
