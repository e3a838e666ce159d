internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserVault
internal import CloserWire

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this device's vault, files and couples, or an export.",
        discussion: """
            Leaves the vault as it is. Exits with 0 even if it finds something, unless --strict is given. Check each export before you rely on it \
            as the backup.
            """)

    @Argument(file: "An export to check instead; - is standard input.") var file: String?
    @Flag(help: "Exit with 1 if there is something to mend.") var strict = false
    @OptionGroup(title: "Vault options") var vault: VaultOptions
    @OptionGroup var export: ExportPassphraseOptions
    @OptionGroup(title: "Output options") var output: BriefOptions

    func run() throws {
        guard file != nil || export.exportPassphraseFile == nil, file == nil || !strict else {
            throw CLIError(.usage, "--export-passphrase-file goes with an export, and --strict with a vault")
        }
        let source = export.source(mayAsk: !vault.passphrase.noInput)
        var inputs = try Inputs([.file(file), .secret(source), vault.inputName])
        guard let file else { return try look(&inputs) }
        try vault.refuse(besides: "an export")
        // Opening it opens everything in it.
        try Output(output).report(try inputs.export(file, source).contents.members)
    }

    private func look(_ inputs: inout Inputs) throws {
        let chosen = try vault.chosen(&inputs)
        let (opened, keyFile) = try vault.open(chosen, &inputs, asksAgain: false)
        try opened.verifyRecords()
        let result = Output(output)
        let visit = Visit(now: WallClock.now, vault: chosen.storage.path)
        var findings = visit.files(keyFile: keyFile)
        findings += try visit.memory() + visit.export(of: opened)
        findings += try visit.couples(in: opened)
        if findings.isEmpty, !output.json { Diagnostics.note("nothing to mend") }
        try result.report(
            findings.map(\.line).joined(separator: "\n"),
            json: ["findings": .array(findings.map(\.json))])
        guard strict, !findings.isEmpty else { return }
        throw CLIError.reported("there is something to mend: \(findings.count)")
    }
}

extension VaultContents {
    fileprivate var members: [JSONValue.Member] {
        let counts = [
            ("couples", coupleCount), ("partners", partnerCount), ("answers", answerCount),
            ("changes", Int(changeCount)),
        ]
        return [.init("userId", .string(userID.text))]
            + counts.map { .init($0, .number(Double($1))) } + [.init("whole", .bool(true))]
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

    /// When something was made that has more days than `limit`, or for all that this clock says may have: it was made an hour ahead of it.
    func age(of time: UInt64, above limit: UInt64) -> String? {
        guard time <= now + 3600 else {
            return "on \(WallClock.text(time)), which is yet to come: the clock was wrong then, or is now"
        }
        let days = (max(now, time) - time) / 86_400
        return days > limit ? "\(days) days ago" : nil
    }
}
