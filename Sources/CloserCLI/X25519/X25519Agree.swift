internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives

extension X25519Command {
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
            if let fingerprint = ChatKey(adopting: key.withBytes { SecretBytes(copying: $0) })?.fingerprint {
                Diagnostics.note("the key's fingerprint is \(fingerprint)")
            }
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
