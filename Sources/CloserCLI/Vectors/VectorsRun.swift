internal import ArgumentParser
internal import CloserConformance
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
        @Option("Stop after so many failed cases.", value: "number") var maxErrors: Int?
        @Flag(help: "Accept any error where a case expects a certain one.")
        var anyRefusal = false
        @OptionGroup var selection: VectorSelection
        @OptionGroup var report: ReportOptions

        func run() throws {
            // A run that lacks more than that: to say only what is missing would let the next run fail, too.
            if command.isEmpty { try selection.files.forEach { try VectorSource.refuseMistyped($0) } }
            try adapter.check(command, "run")
            guard maxErrors ?? 1 > 0 else { throw CLIError(.usage, "--max-errors takes 1 or more") }
            let required = try adapter.required(of: VectorOperation.all.filter { !$0.isSealing })
            var (inputs, selection) = (Inputs(), selection)
            selection.files = try withoutCommand(selection.files)
            let files = try selection.files(&inputs).map { anyRefusal ? $0.takingAnyRefusal : $0 }
            let result = try report.prepare(&inputs)
            var implementation = try adapter.start(command)
            let results = ask(files, &implementation)
            implementation.stop()
            let outcome = Report(
                files: results, minimumCoverage: adapter.minCoverage.value, requiredOperations: required,
                features: implementation.features, takesAnyRefusal: anyRefusal,
                unknownFeatures: implementation.unknownFeatures)
            try report.deliver(outcome, to: result, hint: outcome.hint)
        }

        private func ask(_ files: [VectorFile], _ implementation: inout Adapter) -> [FileResult] {
            let count = files.reduce(0) { $0 + $1.cases.count }
            var progress = Progress(of: .cases, total: count, isWanted: !report.output.json)
            defer { progress.erase() }
            return Runner.run(files, stoppingAfter: maxErrors ?? .max, with: &implementation) {
                progress.show($0)
            }
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

/// A number in decimal digits, perhaps with a point. `Double` also reads `0x10`, `1e2` and `nan`.
struct DecimalNumber: ExpressibleByArgument {
    let value: Double

    init(_ value: Double) { self.value = value }

    init?(argument: String) {
        let parts = argument.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(digits.contains) }),
            let value = Double(argument)
        else { return nil }
        self.value = value
    }

    var defaultValueDescription: String { "\(value)" }
}

/// How long another program may take, and how much it must answer.
struct AdapterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The share of the cases that it must answer, in percent.", valueName: "percent"))
    var minCoverage = DecimalNumber(1)
    @Option(
        help: ArgumentHelp(
            "Operations that the program must have and answer, with commas between; field means all that begin with field.",
            valueName: "operations"))
    var require: [String] = []
    @Option(help: ArgumentHelp("How long it may take for one case.", valueName: "seconds"))
    var timeLimit = DecimalNumber(10)

    /// Refuses a missing command and numbers out of range; `verb` is for the hint.
    func check(_ command: [String], _ verb: String) throws {
        guard !command.isEmpty else {
            throw CLIError(
                .usage, "missing expected argument '<command>'",
                hint: "write it behind --, as in closer-keys vectors \(verb) -- node adapter.mjs")
        }
        guard (0...100).contains(minCoverage.value) else {
            throw CLIError(.usage, "--min-coverage takes 0 to 100")
        }
        guard (0.1...3600).contains(timeLimit.value) else {
            throw CLIError(.usage, "--time-limit takes 0.1 to 3600")
        }
    }

    /// Starts the program, and warns of features that are unknown operations.
    func start(_ command: [String]) throws -> Adapter {
        let implementation: Adapter
        do {
            implementation = try Adapter(command, timeLimit: .seconds(timeLimit.value))
        } catch { throw CLIError(error, starting: command) }
        // Five are enough to see the mistake; a program may name as many as fit on its line.
        let unknown = implementation.unknownFeatures
        for name in unknown.prefix(5) {
            Diagnostics.warn("the program names the unknown operation '\(Shown.short(name))'")
        }
        if unknown.count > 5 { Diagnostics.warn("and \(unknown.count - 5) more") }
        return implementation
    }
}
