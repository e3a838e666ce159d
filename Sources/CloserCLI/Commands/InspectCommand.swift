internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Say what a token or a file is. Needs no key, prints no secret.")

    @Argument(help: ArgumentHelp("A token, a file, or - for standard input.", valueName: "token|file|-"))
    var subject: String
    @OptionGroup var output: OutputOptions

    func run() throws {
        var inputs = Inputs()
        let finding = try finding(&inputs)
        let lines = finding.map { "\($0.name): \($0.value.line)" }.joined(separator: "\n")
        try output.report(lines, json: .object(finding), inputs: inputs)
    }

    private func finding(_ inputs: inout Inputs) throws -> [JSONValue.Member] {
        if let finding = try TokenFinding(of: Array(subject.utf8)) { return finding.members }
        let content = try inputs.secret(subject, maximumByteCount: 2 << 20)
        let text = content.withBytes { Inputs.trimmed(Array(copying: $0.extracting(first: TokenFinding.longestName))) }
        guard TokenFinding.isNamed(text) else {
            let file = try KeysetFile(content)
            return [.init("kind", "keyset"), .init("form", .string("\(file.form)"))] + file.keyset.summary
        }
        let whole = content.withBytes { Inputs.trimmed(Array(copying: $0)) }
        return try TokenFinding(of: whole)?.members ?? []
    }
}

extension JSONValue {
    /// On one line, for a person.
    fileprivate var line: String { string ?? String(decoding: bytes, as: UTF8.self) }
}
