internal import ArgumentParser
internal import CloserFiles
internal import CloserVault
internal import CloserWire

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this device's vault, files and couples.",
        discussion: "Changes nothing. Exits with 0 even if it finds something, unless --strict is given.")

    @Flag(help: "Exit with 1 if there is something to mend.") var strict = false
    @OptionGroup(title: "Vault options") var vault: VaultOptions
    @OptionGroup(title: "Output options") var output: OutputOptions

    func run() throws {
        var inputs = try Inputs([vault.inputName])
        let chosen = try vault.chosen(&inputs)
        let (opened, keyFile) = try vault.open(chosen, &inputs, asksAgain: false)
        let result = try Output(output, .line, inputs: inputs)
        let visit = Visit(now: WallClock.now, vault: chosen.storage.path)
        var findings = visit.files(keyFile: keyFile)
        findings += try visit.export(of: opened)
        findings += try visit.couples(in: opened)
        if findings.isEmpty, !output.json { Diagnostics.note("nothing to mend") }
        try result.report(
            findings.map(\.line).joined(separator: "\n"),
            json: ["findings": .array(findings.map(\.json))])
        guard strict, !findings.isEmpty else { return }
        throw CLIError.reported("there is something to mend: \(findings.count)")
    }
}

/// One thing to mend.
struct DoctorFinding {
    /// Its name for scripts.
    let id: String
    let text: String
    /// What to type. A word in capitals stands for what only a person knows.
    let command: String

    init(_ id: String, _ text: String, mend command: String) {
        (self.id, self.text, self.command) = (id, text, command)
    }

    var line: String { "\(text): \(command)".plainLine }

    var json: JSONValue {
        ["id": .string(id), "message": .string(text), "command": .string(command)]
    }
}

/// One look at a vault.
struct Visit {
    /// Seconds since 1970.
    let now: UInt64
    /// The vault's absolute path.
    let vault: String

    /// How many whole days ago it was.
    func days(since time: UInt64) -> UInt64 { now > time ? (now - time) / 86_400 : 0 }
}
