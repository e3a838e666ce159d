internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

extension KeyboxCommand {
    struct Open: ParsableCommand, BatchVerb {
        static let lines = "keybox becomes plaintext or plaintextBase64"
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Open a keybox, token or binary, and give back its plaintext, verbatim.")

        @Option(file: "The private keyset, ecies-p256, instead of a vault.") var keysetFile: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @Option("What the box is for.", value: "text") var context: String
        @Argument(file: "The box; standard input by default.") var file: String?
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
