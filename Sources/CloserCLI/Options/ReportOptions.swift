public import ArgumentParser
public import CloserVectors

extension Report.Format: ExpressibleByArgument {}

/// How a report is written, and where to.
struct ReportOptions: ParsableArguments {
    @Option(help: "How the report is written.")
    var format: Report.Format?
    @Option(
        help: ArgumentHelp("Write the whole report as JSON into this file, too.", valueName: "file"),
        completion: .file())
    var jsonFile: String?
    @OptionGroup var output: OutputOptions

    /// Opens the outputs before the work begins: a report that cannot be written is known at once.
    func prepare(_ inputs: inout Inputs) throws -> PreparedReport {
        guard !output.json || format == nil || format == .json else {
            throw Failure(.usage, "--json and this --format exclude each other")
        }
        let file = try output.prepare(besides: jsonFile, .line, inputs: &inputs)
        return PreparedReport(shown: try output.prepare(.line, inputs: inputs), file: file)
    }

    /// Writes the report; a wrong answer is exit 1, and so are too few.
    func deliver(_ report: Report, to outputs: consuming PreparedReport, hint: String? = nil) throws {
        try outputs.shown.report(report.text(format ?? .text), json: report.json)
        if let file = outputs.file.take() { try file.report(report.text(.json), json: report.json) }
        if let reason = report.reason { throw Failure.reported(reason, hint: hint) }
    }
}

/// Where a report goes.
struct PreparedReport: ~Copyable {
    let shown: PreparedOutput
    /// For the whole of it, as JSON; nil if nobody asked for that.
    var file: PreparedOutput?
}
