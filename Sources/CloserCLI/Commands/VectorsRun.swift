internal import ArgumentParser
internal import CloserJudge
internal import CloserVectors

extension VectorsCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether another program makes of every case what it must.",
            usage: "closer-keys vectors run [<options>] [<file> ...] -- <command> [<argument> ...]")

        @OptionGroup var foreign: ForeignOptions
        @OptionGroup var selection: VectorSelection
        @OptionGroup var report: ReportOptions

        func run() throws {
            try foreign.check("run")
            var (inputs, selection) = (Inputs(), selection)
            selection.files.removeLast(ForeignOptions.command.count)
            let files = try selection.files(&inputs)
            let result = try report.prepare(&inputs)
            var implementation = try foreign.start()
            let outcome = Report(
                files: files.map { Runner.run($0, with: &implementation) },
                minimumCoverage: foreign.minCoverage, unknownFeatures: implementation.unknownFeatures)
            implementation.stop()
            try report.deliver(outcome, to: result, hint: outcome.hint)
        }
    }
}
