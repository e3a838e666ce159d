internal import ArgumentParser
internal import CloserPrimitives
internal import CloserWire

struct SelfTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-test", abstract: "Compute a known answer with each primitive on this machine.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let tests = SelfTest.all
        let failed = tests.filter { !$0.passes() }.map(\.name)
        guard failed.isEmpty else {
            throw Failure(
                .internal, "wrong answers: \(failed.joined(separator: ", "))", hint: "do not use this build")
        }
        let memory = SelfTest.memoryIsLocked ? "locked" : "not locked: secrets may reach a swap file"
        let lines = tests.map { "ok  \($0.name)" } + ["memory for secrets: \(memory)"]
        try output.report(
            lines.joined(separator: "\n"),
            json: [
                "passed": .array(tests.map { .string($0.name) }),
                "memoryIsLocked": .bool(SelfTest.memoryIsLocked),
            ], inputs: Inputs())
    }
}

struct ExitCodesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exit-codes", abstract: "Print what each exit code means.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let lines = ExitStatus.allCases.map { "\($0.rawValue)\t\($0.id)\t\($0.meaning)" }
        let values = ExitStatus.allCases.map { status -> JSONValue in
            [
                "code": .string(status.id), "exit": .number(Double(status.rawValue)),
                "meaning": .string(status.meaning),
            ]
        }
        try output.report(
            lines.joined(separator: "\n"), json: ["exitCodes": .array(values)], inputs: Inputs())
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Print the versions of the program and of its C libraries.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let libraries = LibraryVersions.all
        let lines = ["closer-keys \(Program.version)"] + libraries.map { "\($0.name) \($0.version)" }
        try output.report(
            lines.joined(separator: "\n"),
            json: .object(
                [.init("closer-keys", .string(Program.version))]
                    + libraries.map { .init($0.name, .string($0.version)) }), inputs: Inputs())
    }
}
