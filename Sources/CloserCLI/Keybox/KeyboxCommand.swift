internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

struct KeyboxCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "keybox", abstract: "Seal to a public key, and open with the private one.",
        subcommands: [Seal.self, Open.self])

    enum Format: String, CaseIterable, ExpressibleByArgument { case token, binary }

    /// The most that a keybox may hold: 1 MiB, ample for the keys that it is meant for.
    static let maximumPlaintextByteCount = 1 << 20

    struct Seal: ParsableCommand, BatchVerb {
        static let lines = "plaintext or plaintextBase64 becomes keybox"
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a plaintext, verbatim, to a public key and for one context.")

        @Option(
            help: ArgumentHelp(
                "The public key: a pub:v1: token, or a file with one or with a public keyset.",
                valueName: "key"),
            completion: .file())
        var to: String
        @Option(
            help: ArgumentHelp("What the box is for; it opens only with the same context.", valueName: "text")
        )
        var context: String
        @Option(help: "How the box is written.") var format = Format.token
        @Argument(
            help: ArgumentHelp("The plaintext; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var batch: BatchOptions<Seal>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.file(recipientFile), .fileOrStandardInput(file)])
            let keyset = try recipient(&inputs)
            guard !batch.jsonl else { return try seal(lines: &inputs, to: keyset) }
            let plaintext = try inputs.secret(file, maximumByteCount: KeyboxCommand.maximumPlaintextByteCount)
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
                        guard plaintext.count <= KeyboxCommand.maximumPlaintextByteCount else {
                            throw CLIError(
                                .limit,
                                "a keybox holds at most \(KeyboxCommand.maximumPlaintextByteCount) bytes")
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

    struct Open: ParsableCommand, BatchVerb {
        static let lines = "keybox becomes plaintext or plaintextBase64"
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Open a keybox, token or binary, and give back its plaintext, verbatim.")

        @Option(
            help: ArgumentHelp("The private keyset, ecies-p256, instead of a vault.", valueName: "file"),
            completion: .file())
        var keysetFile: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @Option(help: ArgumentHelp("What the box is for.", valueName: "text")) var context: String
        @Argument(
            help: ArgumentHelp("The box; standard input by default.", valueName: "file"), completion: .file())
        var file: String?
        @OptionGroup var batch: BatchOptions<Open>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.file(keysetFile), vault.inputName, .fileOrStandardInput(file)])
            let keyset = try identity(&inputs)
            guard !batch.jsonl else { return try open(lines: &inputs, with: keyset) }
            let box = try box(&inputs)
            let opened = try Self.opened(box, with: keyset, Array(context.utf8))
            let details = [JSONValue.Member("keyId", .number(Double(opened.keyID)))]
            try opened.plaintext.withBytes { bytes in
                // A keybox usually holds a key, so its plaintext counts as secret.
                try Output(output, .secret, inputs: inputs).deliver(
                    bytes, named: "plaintext", details: details)
            }
        }

        /// Here the plaintexts are put into JSON, because a caller that asks for lines wants them there; a terminal is still refused.
        private func open(lines inputs: inout Inputs, with keyset: Keyset) throws {
            let context = Array(context.utf8)
            try batch.run(file, .opening([.keybox], isSecret: true), output, inputs: &inputs) { _ in
                { line, result in
                    let box = try KeyboxToken(reading: try line.text(.keybox)).box
                    let opened = try Self.opened(box, with: keyset, context)
                    opened.plaintext.withBytes { result.append(plaintext: $0) }
                }
            }
        }

        private static func opened(
            _ box: [UInt8], with keyset: Keyset, _ context: [UInt8]
        ) throws -> OpenedSecret {
            do throws(OpenError) { return try HybridBox.open(box, with: keyset, context: context) } catch {
                throw CLIError(ofKeybox: error)
            }
        }

        private func identity(_ inputs: inout Inputs) throws -> Keyset {
            guard let keysetFile else { return try vault.open(&inputs).device.identity }
            try vault.refuse(besides: "--keyset-file")
            return try inputs.keyset(keysetFile).keyset.use { keyset in
                guard keyset.kind == .eciesPrivate else {
                    throw KeysetError.wrongKind(expected: .eciesPrivate)
                }
                return keyset
            }
        }

        /// A token begins with `keybox:`, and a binary box with a byte from 00 to 04.
        private func box(_ inputs: inout Inputs) throws -> [UInt8] {
            let bytes = try inputs.bytes(file, maximumByteCount: 2 << 20)
            guard bytes.first.map({ $0 > 4 }) ?? true else { return bytes }
            return try KeyboxToken(reading: Inputs.trimmed(bytes)).box
        }
    }
}

extension JSONLine.Name {
    fileprivate static let keybox = Self("keybox")
}

extension KeyboxToken {
    /// Parses a token, or says what the text is instead.
    fileprivate init(reading text: [UInt8]) throws {
        self = try FileKind.keybox.read(text.span) {
            do throws(TokenError) { return try KeyboxToken(parsing: text) } catch {
                throw CLIError(error, noun: "keybox")
            }
        }
    }
}

extension CLIError {
    fileprivate init(ofKeybox error: OpenError) {
        switch error {
        case .noMatchingKey:
            self.init(
                error.words,
                hint: "it is sealed to another public key: closer-keys inspect shows the key id of both")
        case .authenticationFailed:
            self.init(error.words, hint: "check --context, which must be the sender's byte for byte")
        default: self.init(error)
        }
    }
}
