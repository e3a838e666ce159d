internal import ArgumentParser
internal import CloserVectors

extension Report.Format: ExpressibleByArgument {}

/// How a report is written, and where to.
struct ReportOptions: ParsableArguments {
    @Option(help: "How the report is written.")
    var format: Report.Format?
    @OptionGroup var output: OutputOptions

    /// Opens the output before the work begins: a report that cannot be written is known at once.
    func prepare(_ inputs: Inputs) throws -> PreparedOutput {
        guard !output.json || format == nil || format == .json else {
            throw Failure(.usage, "--json and this --format exclude each other")
        }
        return try output.prepare(.line, inputs: inputs)
    }

    /// Writes the report; a wrong answer is exit 1, and so are too few.
    func deliver(_ report: Report, to result: consuming PreparedOutput) throws {
        try result.report(report.text(format ?? .text), json: report.json)
        if let reason = report.reason { throw Failure.reported(reason) }
    }
}
