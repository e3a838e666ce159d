internal import ArgumentParser
internal import CloserSystem
internal import CloserVectors

extension VectorsCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether another program makes of every case what it must.",
            usage: "closer-keys vectors run [<options>] [<file> ...] -- <command> [<argument> ...]")

        @Option(help: ArgumentHelp("How much of the cases it must answer, in percent.", valueName: "percent"))
        var minCoverage = 1
        @Option(help: ArgumentHelp("How long it may take for one case.", valueName: "seconds"))
        var timeLimit = 10.0
        @OptionGroup var selection: VectorSelection
        @OptionGroup var report: ReportOptions

        func run() throws {
            let command = command
            try check(command)
            var (inputs, selection) = (Inputs(), selection)
            selection.files.removeLast(command.count)
            let files = try selection.files(&inputs)
            let result = try report.prepare(inputs)
            var implementation: ForeignImplementation
            do {
                implementation = try ForeignImplementation(command, timeLimit: .seconds(timeLimit))
            } catch { throw Failure(error) }
            let outcome = Report(
                files: files.map { Runner.run($0, with: &implementation) }, minimumCoverage: minCoverage)
            implementation.stop()
            try report.deliver(outcome, to: result)
        }

        /// What stands behind `--`. The parser drops the `--`, and has one list for what is on either side.
        private var command: [String] {
            Array((ProcessArguments.all ?? []).drop { $0 != "--" }.dropFirst())
        }

        private func check(_ command: [String]) throws {
            guard !command.isEmpty else {
                throw Failure(
                    .usage, "missing expected argument '<command>'",
                    hint: "write it behind --, as in closer-keys vectors run -- node adapter.mjs")
            }
            guard (0...100).contains(minCoverage) else {
                throw Failure(.usage, "--min-coverage takes 0 to 100")
            }
            guard (0.1...3600).contains(timeLimit) else {
                throw Failure(.usage, "--time-limit takes 0.1 to 3600")
            }
        }
    }
}
