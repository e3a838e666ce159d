internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserWire

struct FieldCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "field", abstract: "Seal and open encrypted fields, enc:v1:.",
        subcommands: [Seal.self, Open.self])

    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Seal a plaintext, verbatim, into a token for this couple.")

        @OptionGroup var key: CoupleKeyOptions
        @Argument(
            help: ArgumentHelp("The plaintext; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (couple, key) = try key.read(from: &inputs)
            let plaintext = try inputs.bytes(file, maximumByteCount: CoupleKey.maximumFieldByteCount)
            let token = try key.seal(field: plaintext, couple: couple)
            try output.deliver(
                token.text.span, .line, named: "token",
                details: [.init("keyId", .number(Double(key.keyset.primaryID)))], inputs: inputs)
        }
    }

    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a token of this couple and give back its plaintext, verbatim.")

        @OptionGroup var key: CoupleKeyOptions
        @Argument(
            help: ArgumentHelp("The token; standard input by default.", valueName: "file"),
            completion: .file()) var file: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (couple, key) = try key.read(from: &inputs)
            let opened = try key.open(try FieldToken(parsing: try inputs.text(file)), couple: couple)
            try output.deliver(
                opened.plaintext.span, .verbatim, named: "plaintext",
                details: [.init("keyId", .number(Double(opened.keyID)))], inputs: inputs)
        }
    }
}

/// Which couple, and where its key is.
struct CoupleKeyOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The couple's keyset, aes256-gcm.", valueName: "file"), completion: .file())
    var keysetFile: String
    @Option(help: ArgumentHelp("The couple that the field belongs to.", valueName: "id")) var couple: String

    func read(from inputs: inout Inputs) throws -> (Identifier, CoupleKey) {
        let couple = try Identifier(parsing: couple)
        return (couple, try CoupleKey(try inputs.keyset(keysetFile).keyset))
    }
}
