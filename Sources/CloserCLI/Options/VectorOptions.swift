internal import ArgumentParser
internal import CloserVectors
internal import CloserWire

/// Which vectors.
struct VectorSelection: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Files of vectors, ours or Wycheproof's; those in this program by default.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    /// All of them, read before any case is run.
    func files(_ inputs: inout Inputs) throws -> [VectorFile] {
        guard !files.isEmpty else {
            do { return try EmbeddedVectors().entries.map(\.file) } catch { throw Failure(error) }
        }
        var read: [VectorFile] = []
        for path in files {
            let bytes = try inputs.bytes(path, maximumByteCount: VectorFile.maximumByteCount)
            let name = path == "-" ? "standard input" : path
            do { read.append(try VectorFile(name: name, parsing: bytes)) } catch {
                throw Failure(error, in: name)
            }
        }
        return read
    }
}

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
        let counts = report.counts
        switch report.verdict {
        case .ok: return
        case .vectorMismatch:
            throw Failure.reported(
                "\(counts.failed) of \(counts.total) cases \(counts.failed == 1 ? "has" : "have") another answer"
            )
        case .coverageTooLow:
            throw Failure.reported(
                "\(counts.covered) of \(counts.total) cases were answered, expected \(report.minimumCoverage) percent"
            )
        }
    }
}
