internal import ArgumentParser
internal import CloserKeys

extension X25519Command {
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
}
