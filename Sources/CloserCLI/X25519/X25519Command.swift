internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

struct X25519Command: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "x25519", abstract: "X25519 keys, for chats: make, agree, compare.",
        subcommands: [New.self, Public.self, Agree.self, SafetyNumberCommand.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make a private key, and write it as one line of base64.")

        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let key = X25519PrivateKey()
            let publicKey = JSONValue.Member("publicKey", .string(key.publicKey.description))
            try key.text.withBytes {
                try Output(output, .secretLine, inputs: Inputs()).deliver(
                    $0, named: "privateKey", details: [publicKey])
            }
        }
    }

    struct Public: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "public", abstract: "Print the public key of a private key.")

        @OptionGroup var privateKey: PrivateKeyOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let text = try privateKey.read(&inputs).key.publicKey.description
            try Output(output, .line, inputs: inputs).deliver(Array(text.utf8), named: "publicKey")
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
        @OptionGroup(title: "Output options") var output: OutputOptions

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
