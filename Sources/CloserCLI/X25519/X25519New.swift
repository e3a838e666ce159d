internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

extension X25519Command {
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
}
