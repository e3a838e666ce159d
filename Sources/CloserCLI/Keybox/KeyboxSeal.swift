internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserWire

extension KeyboxCommand {
    struct Seal: ParsableCommand, BatchVerb {
        enum Format: String, CaseIterable, ExpressibleByArgument { case token, binary }

        /// The most that a keybox may hold: 1 MiB, ample for the keys that it is meant for.
        static let maximumPlaintextByteCount = 1 << 20

        static let lines = "plaintext or plaintextBase64 becomes keybox"
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a plaintext, verbatim, to a public key and for one context.")

        @Option(
            help: ArgumentHelp(
                "The public key: a pub:v1: token, or a file with one or with a public keyset.",
                valueName: "key"),
            completion: .file())
        var to: String
        @Option("What the box is for; it opens only with the same context.", value: "text")
        var context: String
        @Option(help: "How the box is written.") var format = Format.token
        @Argument(file: "The plaintext; standard input by default.") var file: String?
        @OptionGroup var batch: BatchOptions<Seal>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.file(recipientFile), .fileOrStandardInput(file)])
            let keyset = try recipient(&inputs)
            guard !batch.jsonl else { return try seal(lines: &inputs, to: keyset) }
            let plaintext = try inputs.secret(file, maximumByteCount: Self.maximumPlaintextByteCount)
            let box = try HybridBox.seal(plaintext, to: keyset, context: context.utf8)
            let details = [JSONValue.Member("keyId", .number(Double(keyset.primaryID)))]
            switch format {
            case .binary:
                try Output(output, .binary, inputs: inputs).deliver(box, named: "keybox", details: details)
            case .token:
                let token = try Self.token(box)
                try Output(output, .line, inputs: inputs).deliver(
                    token.text, named: "keybox", details: details)
            }
        }

        private func seal(lines inputs: inout Inputs, to keyset: Keyset) throws {
            guard format == .token else { throw CLIError(.usage, "--jsonl makes tokens, and no binary") }
            let context = Array(context.utf8)
            try batch.run(file, .sealing(into: [.keybox]), output, inputs: &inputs) { _ in
                { line, result in
                    let box = try line.withPlaintext { plaintext in
                        guard plaintext.count <= Self.maximumPlaintextByteCount else {
                            throw CLIError(
                                .limit,
                                "a keybox holds at most \(Self.maximumPlaintextByteCount) bytes")
                        }
                        return try HybridBox.seal(plaintext, to: keyset, context: context.span)
                    }
                    let text = try Self.token(box).text
                    result.append(.keybox, plain: text.count) { $0.append(text) }
                }
            }
        }

        private var recipientFile: String? { to.hasPrefix("pub:") ? nil : to }

        private func recipient(_ inputs: inout Inputs) throws -> Keyset {
            guard let recipientFile else { return try PublicKeyToken(reading: to).keyset }
            let bytes = try inputs.bytes(recipientFile, maximumByteCount: Keyset.maximumJSONByteCount)
            let text = Inputs.trimmed(bytes)
            guard !text.starts(with: "pub:".utf8) else { return try PublicKeyToken(parsing: text).keyset }
            return try FileKind.publicKey.read(bytes.span) { try NoSecretKeyset.read(bytes) }
        }

        private static func token(_ box: [UInt8]) throws -> KeyboxToken {
            do { return try KeyboxToken(box) } catch {
                throw CLIError(
                    .malformed,
                    "this box is too short for a token, which has at least 120 characters after keybox:v1:",
                    hint: "use --format binary, or a key with uncompressed points")
            }
        }
    }
}
