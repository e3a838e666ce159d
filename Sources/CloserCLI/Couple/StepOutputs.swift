internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

/// The couple's new document, for the app's server.
struct CoupleOutOptions: ParsableArguments {
    @Option(file: "Also write the couple's new document, for the app's server, to this file.")
    var coupleOut: String?
}

/// What a step of a couple comes to.
enum StepResult {
    /// A document, with its name in JSON.
    case document([UInt8], named: String)
    /// The couple as it is now, under a line that says what happened.
    case report(String)
}

/// The program's half of a step of a couple: a new phrase goes to paper, the step is made, the couple's document and the result come out,
/// and notes say what follows. Every place is claimed before anything is changed.
struct StepOutputs: ~Copyable {
    private let document: Output?
    private let result: Output
    private let coupleOut: String?
    private let resultName: String

    init(
        _ output: OutputOptions, _ kind: OutputKind, _ beside: CoupleOutOptions? = nil,
        inputs: inout Inputs
    ) throws {
        guard beside?.coupleOut != "-" else {
            throw CLIError(.usage, "--couple-out needs the name of a file, not -")
        }
        let document = try Output.beside(output, beside?.coupleOut, .json, inputs: &inputs)
        result = try Output(output, kind, inputs: inputs)
        self.document = document
        (coupleOut, resultName) = (beside?.coupleOut, output.named("document"))
    }

    consuming func carryOut(
        of id: CoupleID, in vault: Vault, bringing phrase: borrowing RecoveryPhrase,
        to place: consuming SecretDestination, _ deed: PhraseDeed, keeping: Bool,
        noting notes: () throws -> [String], _ make: () throws -> StepResult
    ) throws {
        var outcome: StepResult?
        try place.give(phrase, of: id, in: vault, deed, keeping: keeping) { outcome = try make() }
        guard let outcome else { preconditionFailure("a step was made without a result") }
        try tell(outcome, of: id, in: vault, noting: notes)
    }

    /// Tells what a step came to. The device that sends a document also says what the server gets.
    consuming func tell(
        _ outcome: StepResult, of id: CoupleID, in vault: Vault, noting notes: () throws -> [String]
    ) throws {
        let whole = try vault.overview(of: id)
        let (summary, coupleOut, resultName) = (try CoupleSummary(whole), coupleOut, resultName)
        if let document = consume document {
            guard let couple = whole.couple else { throw VaultError.couple(.missing) }
            try document.deliver(couple.document.bytes, named: "couple")
        }
        whole.notePhrase()
        switch outcome {
        case .document(let bytes, let name):
            try result.deliver(bytes, named: name, details: summary.members)
        case .report(let words): try result.report("\(words)\n\(summary.lines)", json: summary.json)
        }
        for note in try notes() { Diagnostics.note(note) }
        switch (outcome, coupleOut) {
        case (_, let file?): Diagnostics.note("give the server \(file)")
        case (.document(_, "couple"), nil): Diagnostics.note("give the server \(resultName)")
        case (.document, nil):
            Diagnostics.note(
                "the server needs the couple's new document",
                next: NextCommand.line("couple show \(id.option) --document"))
        case (.report, nil): break
        }
    }
}
