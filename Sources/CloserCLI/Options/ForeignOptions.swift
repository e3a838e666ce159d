internal import ArgumentParser
internal import CloserJudge
internal import CloserSystem
internal import CloserVectors

/// How another program is asked.
struct ForeignOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How much of the cases it must answer, in percent.", valueName: "percent"))
    var minCoverage = 1.0
    @Option(help: ArgumentHelp("How long it may take for one case.", valueName: "seconds"))
    var timeLimit = 10.0

    /// What stands behind `--`. The parser drops the `--`, and takes one list of arguments in a
    /// command, which has what is on either side.
    static var command: [String] {
        Array((ProcessArguments.all ?? []).drop { $0 != "--" }.dropFirst())
    }

    /// Refuses a missing command and numbers out of range; `verb` is for the hint.
    func check(_ verb: String) throws {
        guard !Self.command.isEmpty else {
            throw Failure(
                .usage, "missing expected argument '<command>'",
                hint: "write it behind --, as in closer-keys vectors \(verb) -- node adapter.mjs")
        }
        guard (0...100).contains(minCoverage) else {
            throw Failure(.usage, "--min-coverage takes 0 to 100")
        }
        guard (0.1...3600).contains(timeLimit) else {
            throw Failure(.usage, "--time-limit takes 0.1 to 3600")
        }
    }

    /// Starts the program, and warns of features that are no operations.
    func start() throws -> ForeignImplementation {
        let implementation: ForeignImplementation
        do {
            implementation = try ForeignImplementation(Self.command, timeLimit: .seconds(timeLimit))
        } catch { throw Failure(error, starting: Self.command) }
        // Five show what the slip is; a program can have as many as a line has room for.
        let unknown = implementation.unknownFeatures
        for name in unknown.prefix(5) {
            Messages.warn("the program has '\(Shown.short(name))', which is no operation")
        }
        if unknown.count > 5 { Messages.warn("and \(unknown.count - 5) more") }
        return implementation
    }
}
