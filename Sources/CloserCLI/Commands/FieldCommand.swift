internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserVault
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
            let (couple, key, origin) = try key.read(from: &inputs)
            let plaintext = try inputs.bytes(file, maximumByteCount: CoupleKey.maximumFieldByteCount)
            let token = try key.seal(field: plaintext, couple: couple)
            try output.deliver(
                token.text.span, .line, named: "token",
                details: .key(key.keyset.primaryID, origin), inputs: inputs)
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
            let (couple, key, origin) = try key.read(from: &inputs)
            let opened = try key.open(try FieldToken(parsing: try inputs.text(file)), couple: couple)
            try output.deliver(
                opened.plaintext.span, .verbatim, named: "plaintext",
                details: .key(opened.keyID, origin), inputs: inputs)
        }
    }
}

extension [JSONValue.Member] {
    /// Which key it was, and how it came to this device where that is known.
    fileprivate static func key(_ id: UInt32, _ origin: (UInt32) -> KeyOrigin?) -> Self {
        let origin = origin(id).map { JSONValue.Member("origin", .string("\($0)")) }
        return [.init("keyId", .number(Double(id)))] + (origin.map { [$0] } ?? [])
    }
}
