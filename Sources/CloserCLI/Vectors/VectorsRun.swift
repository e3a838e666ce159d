#if CommandLine
internal import ArgumentParser
internal import CloserConformance
internal import CloserFiles
internal import CloserKeys
internal import CloserSystem
internal import CloserVectors
internal import CloserWire

extension VectorsCommand {
    struct Run: AdapterCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Check that another program gives the expected result for every case.",
            usage: "closer-keys vectors run [<options>] [<file> ...] -- <command> [<argument> ...]")

        @OptionGroup var adapter: AdapterOptions
        @OptionGroup var selection: VectorSelection
        @OptionGroup var report: ReportOptions

        func run() throws {
            if command.isEmpty { try selection.refuseMistyped() }
            try adapter.check(command, "run")
            var (inputs, selection) = (Inputs(), selection)
            selection.files = try withoutCommand(selection.files)
            let files = try selection.files(&inputs)
            let result = try report.prepare(&inputs)
            var implementation = try adapter.start(command)
            let outcome = Report(
                files: files.map { Runner.run($0, with: &implementation) },
                minimumCoverage: adapter.minCoverage, unknownFeatures: implementation.unknownFeatures)
            implementation.stop()
            try report.deliver(outcome, to: result, hint: outcome.hint)
        }
    }
}

/// A command that asks another program, which stands behind `--`.
///
/// ArgumentParser takes one list of arguments in a command and drops the `--`, so our own list ends with the program's
/// arguments.
protocol AdapterCommand: ParsableCommand {}

extension AdapterCommand {
    var command: [String] { ProcessArguments.ofAdapter }

    /// Our own part of the arguments that ArgumentParser has put into one list.
    func withoutCommand(_ arguments: [String]) throws -> [String] {
        guard arguments.suffix(command.count) == command[...] else {
            throw CLIError(.usage, "put the program and its arguments last, after one --")
        }
        return arguments.dropLast(command.count)
    }
}

/// How long another program may take, and how much it must answer.
struct AdapterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The share of the cases that it must answer, in percent.", valueName: "percent"))
    var minCoverage = 1.0
    @Option(help: ArgumentHelp("How long it may take for one case.", valueName: "seconds"))
    var timeLimit = 10.0

    /// Refuses a missing command and numbers out of range; `verb` is for the hint.
    func check(_ command: [String], _ verb: String) throws {
        guard !command.isEmpty else {
            throw CLIError(
                .usage, "missing expected argument '<command>'",
                hint: "write it behind --, as in closer-keys vectors \(verb) -- node adapter.mjs")
        }
        guard (0...100).contains(minCoverage) else {
            throw CLIError(.usage, "--min-coverage takes 0 to 100")
        }
        guard (0.1...3600).contains(timeLimit) else {
            throw CLIError(.usage, "--time-limit takes 0.1 to 3600")
        }
    }

    /// Starts the program, and warns of features that are no operations.
    func start(_ command: [String]) throws -> Adapter {
        let implementation: Adapter
        do {
            implementation = try Adapter(command, timeLimit: .seconds(timeLimit))
        } catch { throw CLIError(error, starting: command) }
        // Five are enough to see the mistake; a program may name as many as fit on its line.
        let unknown = implementation.unknownFeatures
        for name in unknown.prefix(5) {
            Diagnostics.warn("the program has '\(Shown.short(name))', which is no operation")
        }
        if unknown.count > 5 { Diagnostics.warn("and \(unknown.count - 5) more") }
        return implementation
    }
}

extension CLIError {
    init(_ fault: AdapterSession.Fault, starting command: [String]) {
        self =
            switch fault {
            case .process(.cannotStart(let reason), _): Self.cannotStart(command, reason.lowercased())
            case .process: CLIError(.ioError, "the program did not start: \(fault.words)")
            case .garbage:
                CLIError(
                    .foreignProgram, "the program did not start: \(fault.words)",
                    hint: "man closer-keys-vectors.7 describes the lines")
            }
    }

    /// A name with a space in it is most often a command that was quoted as one word.
    private static func cannotStart(_ command: [String], _ reason: String) -> CLIError {
        let failure = CLIError(.noInput, "cannot start '\(Shown.short(command[0]))': \(reason)")
        guard command[0].contains(" ") else { return failure }
        let words = Shown.short(command.joined(separator: " "))
        return failure.hinting("no quotes around the whole command: -- \(words)")
    }
}
#endif
