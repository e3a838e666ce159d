internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Say what a token or a file is. Needs no key, prints no secret.")

    @Argument(
        help: ArgumentHelp("A token, a file, or - for standard input.", valueName: "token|file|-"),
        completion: .file())
    var subject: String
    @OptionGroup var output: OutputOptions

    func run() throws {
        var inputs = Inputs()
        let finding = try finding(&inputs)
        try output.report(finding.lines, json: .object(finding.members), inputs: inputs)
    }

    private func finding(_ inputs: inout Inputs) throws -> Finding {
        if let finding = try Finding(token: Array(subject.utf8)) { return finding }
        // It may be a keyset, so it is read as a secret; only what begins like a token is copied out.
        let content = try inputs.secret(subject, maximumByteCount: 2 << 20)
        guard content.withBytes(Finding.isNamed) else { return try Finding(keyset: content) }
        let text = content.withBytes { Inputs.trimmed(Array(copying: $0)) }
        guard let finding = try Finding(token: text) else { throw Finding.nothingKnown }
        return finding
    }
}
