internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

struct PairCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "X25519 keys: make them, agree with them, compare them.",
        subcommands: [Key.self, Agree.self, SafetyNumberCommand.self])

    struct Key: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key", abstract: "Print an X25519 public key; with --new, make a private key.")

        @Flag(help: "Make a new private key, and write it as one line of base64.") var new = false
        @OptionGroup var privateKey: PrivateKeyOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            guard new else {
                let text = try privateKey.read(&inputs).key.publicKey.description
                return try Output(output, .line, inputs: inputs).deliver(
                    Array(text.utf8), named: "publicKey")
            }
            guard privateKey.privateKeyFile == nil else {
                throw CLIError(.usage, "--new makes a key: give it no --private-key-file")
            }
            try privateKey.refuseVault(besides: "--new")
            let key = X25519PrivateKey()
            let publicKey = JSONValue.Member("publicKey", .string(key.publicKey.description))
            try key.text.withBytes {
                try Output(output, .secretLine, inputs: inputs).deliver(
                    $0, named: "privateKey", details: [publicKey])
            }
        }
    }

    struct Agree: ParsableCommand {
        enum Format: String, CaseIterable, ExpressibleByArgument { case base64, binary }

        static let configuration = CommandConfiguration(
            commandName: "agree",
            abstract: "Derive the 32-byte key that both sides share, by X25519 and HKDF-SHA256.")

        @OptionGroup var privateKey: PrivateKeyOptions
        @OptionGroup var peer: PeerKeyOptions
        @OptionGroup var derivation: DerivationOptions
        @Option(help: "How the key is written.") var format = Format.base64
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (salt, theirs) = (try derivation.saltBytes, try peer.key)
            let ours = try privateKey.read(&inputs).key
            let key = try ours.agree(with: theirs, salt: salt, info: (derivation.info ?? "").utf8)
            try key.withBytes { bytes in
                guard format == .base64 else {
                    return try Output(output, .secret, inputs: inputs).deliver(bytes, named: "key")
                }
                let text = SecretBytes(capacity: SecretBase64.standard.encodedCount(bytes.count)) {
                    SecretBase64.standard.encode(bytes, into: &$0)
                }
                try Output(output, .secretLine, inputs: inputs).deliver(text, named: "key")
            }
        }
    }
}
