public import ArgumentParser
internal import CloserSystem
public import CloserVectors
internal import CloserWire

extension VectorsCommand {
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check that this program gives the expected result for every case.")

        @OptionGroup var selection: VectorSelection
        @OptionGroup var report: ReportOptions

        func run() throws {
            var inputs = Inputs()
            let files = try selection.files(&inputs)
            let result = try report.prepare(&inputs)
            try report.deliver(Report(files: Self.verify(files)), to: result)
        }

        /// On all cores. At most four derive keys at once: together they take less than one vault with a passphrase.
        private static func verify(_ files: [VectorFile]) -> [FileResult] {
            let (run, count) = (SharedRun(files), min(WorkerThreads.coreCount, 4))
            var threads = WorkerThreads()
            // Limited memory may be enough for one thread alone.
            if !ProcessLimits.isMemoryLimited { threads.start(count - 1) { run.help() } }
            run.lead()
            threads.join()
            return run.finish()
        }
    }
}

extension Report.Format: ExpressibleByArgument {}

/// How a report is written, and where to.
struct ReportOptions: ParsableArguments {
    @Option(help: "How the report is written.")
    var format: Report.Format?
    @Option(file: "Also write the whole report to this file, as JSON.") var jsonFile: String?
    @OptionGroup(title: "Output options") var output: OutputOptions

    /// Opens the outputs before the work begins, so that a failure to write ends the run at once.
    func prepare(_ inputs: inout Inputs) throws -> PreparedReport {
        guard !output.json || format == nil || format == .json else {
            throw CLIError(.usage, "--json and this --format exclude each other")
        }
        guard jsonFile != "-" else {
            throw CLIError(
                .usage, "--json-file needs the name of a file, not -", hint: "--json prints the whole report")
        }
        let file = try Output.beside(output, jsonFile, .line, inputs: &inputs)
        return PreparedReport(shown: try Output(output, .line, inputs: inputs), file: file)
    }

    /// Writes the report. Wrong answers end the run with exit code 1, and so do too few answers.
    func deliver(_ report: Report, to outputs: consuming PreparedReport, hint: String? = nil) throws {
        // The file first: a reader who stops reading what is shown ends the run.
        if let file = outputs.file.take() { try file.report(report.text(.json), json: report.json) }
        try outputs.shown.report(report.text(format ?? .text), json: report.json)
        if let reason = report.reason { throw CLIError.reported(reason, hint: hint) }
    }
}

struct PreparedReport: ~Copyable {
    let shown: Output
    /// For the whole report as JSON, if a file is named for it.
    var file: Output?
}
