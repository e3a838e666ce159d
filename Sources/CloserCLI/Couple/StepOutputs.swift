internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

/// The couple's new document, for the app's server.
struct CoupleOutOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also write the couple's new document, for the app's server, to this file.", valueName: "file"),
        completion: .file())
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
/// and a note names the next command. Every place is claimed before anything is changed.
struct StepOutputs: ~Copyable {
    private let document: Output?
    private let result: Output
    private let coupleOut: String?

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
        coupleOut = beside?.coupleOut
    }

    /// Brings a new phrase to its place, makes the step, and tells what it came to.
    consuming func carryOut(
        of id: CoupleID, in vault: Vault, bringing phrase: borrowing RecoveryPhrase,
        to place: consuming SecretDestination, _ deed: PhraseDeed, noting note: (String) throws -> String,
        _ make: () throws -> StepResult
    ) throws {
        var outcome: StepResult?
        try place.give(phrase, of: id, in: vault, deed) { outcome = try make() }
        guard let outcome else { preconditionFailure("a step was made without a result") }
        try tell(outcome, of: id, in: vault, noting: note)
    }

    /// Tells what a step came to. `note` says what follows, and gets what the server is given.
    consuming func tell(
        _ outcome: StepResult, of id: CoupleID, in vault: Vault, noting note: (String) throws -> String
    ) throws {
        let whole = try vault.overview(of: id)
        let (summary, server) = (try CoupleSummary(whole), id.forServer(coupleOut))
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
        Diagnostics.note(try note(server))
    }
}

extension CoupleID {
    /// The end of a note: what the server gets once a couple's document has changed.
    fileprivate func forServer(_ file: String?) -> String {
        "for the server: \(file ?? NextCommand.line("couple show --couple \(text) --document"))"
    }
}
