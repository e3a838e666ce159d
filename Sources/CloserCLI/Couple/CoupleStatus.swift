internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the state of a couple, what it waits for, and the next command to type.",
            discussion: "Of several couples it shows a line each. With a document it is about one couple.")

        @Argument(
            help: ArgumentHelp(
                "The couple's document that the server has, to compare.", valueName: "document"),
            completion: .file())
        var file: String?
        @Option("Only this couple; by default $CLOSER_KEYS_COUPLE, or every couple.", value: "id")
        var couple: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.file(file), vault.inputName])
            guard file == nil else { return try compare(&inputs) }
            let named = try CoupleID.named(couple)
            let vault = try vault.open(&inputs)
            let couples = try named.map { [try vault.overview(of: $0)] } ?? vault.overviews
            let all = try couples.map { try CoupleStatus($0, try WaitingStep.all(of: $0, in: vault)) }
            if all.isEmpty, !output.json { Diagnostics.note(CoupleCommand.noCouples) }
            try Output(output, .line, inputs: inputs).report(
                all.count == 1 ? all[0].lines : all.map(\.line).joined(separator: "\n"),
                json: ["couples": .array(all.map(\.json))])
        }

        private func compare(_ inputs: inout Inputs) throws {
            let document = try inputs.coupleDocument(file)
            let (vault, id) = try vault.open(&inputs, couple: couple)
            let (whole, seen) = (try vault.overview(of: id), try vault.compare(document, of: id))
            let status = try CoupleStatus(
                whole, try WaitingStep.all(of: whole, in: vault, seeing: seen), seen)
            try Output(output, .line, inputs: inputs).report(
                status.lines, json: ["couples": [status.json]])
        }
    }

    static var noCouples: String { "no couples yet: \(begin)" }

    /// How a couple comes to a vault.
    static var begin: String {
        "\(NextCommand.line("pair invite --couple ID")) makes one, and \(NextCommand.line("pair accept OFFER")) takes a partner's"
    }
}

/// A couple, and what waits for a person.
private struct CoupleStatus {
    private let summary: CoupleSummary
    private let steps: [WaitingStep]
    private let document: ServerDocument?

    init(_ couple: CoupleOverview, _ steps: [WaitingStep], _ document: ServerDocument? = nil) throws {
        (summary, self.steps, self.document) = (try CoupleSummary(couple), steps, document)
    }

    var lines: String {
        let waiting = steps.flatMap { ["waits: \($0.what)", "next: \($0.command)".plainLine] }
        let facts = [summary.lines] + (document.map { ["document: \($0.words)"] } ?? [])
        return (facts + (waiting.isEmpty ? ["waits: nothing"] : waiting)).joined(separator: "\n")
    }

    var line: String {
        "\(summary.line)\t\(steps.isEmpty ? "nothing waits" : "waits: \(steps.map(\.what).joined(separator: "; "))")"
    }

    var json: JSONValue {
        let steps = steps.map { step -> JSONValue in
            ["waits": .string(step.what), "next": .string(step.command)]
        }
        let document = document.map { JSONValue.string($0.rawValue) } ?? .null
        return .object(summary.members + [.init("document", document), .init("steps", .array(steps))])
    }
}

extension ServerDocument {
    fileprivate var words: String { self == .ours ? "this vault's" : "another than this vault's" }
}
