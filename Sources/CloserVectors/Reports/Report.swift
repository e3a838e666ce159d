package import CloserWire

/// What came of a run over vectors, to be written for people and for machines.
///
/// To verify this library, give it the files of ``EmbeddedVectors``, or others:
/// ```swift
/// let report = Report(verifying: try EmbeddedVectors().entries.map(\.file))
/// print(report.text(.text))
/// ```
public struct Report: Sendable {
    package let files: [FileResult]
    let unit: Unit
    /// How much of the cases must be answered, in percent.
    let minimumCoverage: Double
    /// The operations that the program must have.
    let requiredOperations: [String]
    /// What the program says that it has.
    let features: Set<String>
    /// Whether any error was taken where a case expects a certain one.
    let takesAnyRefusal: Bool
    /// What an adapter says that it has, and that is unknown here.
    let unknownFeatures: [String]
    /// The operations with live cases that the program lacks; empty if some were named.
    let absentOperations: [String]

    /// Runs every case of `files` through this library. It blocks its thread for some seconds.
    public init(verifying files: [VectorFile]) {
        self.init(files: SharedRun(files).finish())
    }

    package init(
        files: [FileResult], minimumCoverage: Double = 0, of unit: Unit = .file,
        requiredOperations: [String] = [], features: Set<String> = [], takesAnyRefusal: Bool = false,
        unknownFeatures: [String] = [], absentOperations: [String] = []
    ) {
        (self.files, self.minimumCoverage, self.unit) = (files, minimumCoverage, unit)
        (self.requiredOperations, self.features) = (requiredOperations, features)
        self.takesAnyRefusal = takesAnyRefusal
        (self.unknownFeatures, self.absentOperations) = (unknownFeatures, absentOperations)
    }

    /// Cases come in files, or were made for an operation.
    package enum Unit: String, Sendable { case file, operation }

    /// What the whole says, by the name that scripts compare.
    public enum Verdict: String, Sendable {
        /// Every case that was answered was answered rightly, and enough were.
        case ok
        /// At least one answer was wrong.
        case vectorMismatch
        /// All answers were right, and too few cases were answered, or a required operation was left out.
        case coverageTooLow
    }

    /// What the whole says: any wrong answer counts more than too few.
    public var verdict: Verdict {
        guard counts.failed == 0 else { return .vectorMismatch }
        return coverage.isSufficient ? .ok : .coverageTooLow
    }

    /// Why the verdict is not ``Verdict/ok``, in words for a person; nil if it is.
    public var reason: String? {
        switch verdict {
        case .ok: nil
        case .vectorMismatch: "\(counts.failed) of \(counts.total) cases failed"
        case .coverageTooLow: coverage.reason
        }
    }

    /// How many cases passed, failed and were skipped.
    public var counts: Counts { Counts(files.lazy.flatMap(\.results)) }

    /// What to do next, for a person who runs an adapter; nil if the report says it all.
    package var hint: String? {
        if files.contains(where: { $0.results.contains(where: \.wantsTrace) }) {
            return
                "with sharedSecret, derivedKey or associatedData in a trace the first that differs is named: man closer-keys-vectors.7"
        }
        return coverage.hint
    }

    /// How a report is written.
    public enum Format: String, CaseIterable, Sendable {
        /// For a person.
        case text
        /// The Test Anything Protocol, version 13.
        case tap
        /// The XML that CI servers read.
        case junit
        /// For the summary page of a CI run.
        case markdown
        /// For programs, with every failed case whole.
        case json
    }

    /// The report, without a newline at its end.
    public func text(_ format: Format) -> String {
        switch format {
        case .text: TextReport(report: self).text
        case .tap: TAPReport(report: self).text
        case .junit: JUnitReport(report: self).text
        case .markdown: MarkdownReport(report: self).text
        case .json: String(decoding: json.printableBytes, as: UTF8.self)
        }
    }

    package var json: JSONValue { JSONReport(report: self).value }
}

// What several formats say.
extension Report {
    /// The sum in one line, with the share of what was answered if that is not all.
    var sum: String {
        let share = counts.skipped > 0 ? " (\(counts.coverageWords) answered)" : ""
        let units = "\(files.count) \(unit)\(files.count == 1 ? "" : "s")"
        return "\(counts.total) cases in \(units): \(counts.words)\(share)"
    }

    /// What must not hide behind a yes: which operations were left out, and that error ids were not compared.
    func notes(_ written: (String) -> String = { $0 }) -> [String] {
        let names = absentOperations.map(written).joined(separator: ", ")
        let absence = names.isEmpty ? [] : ["Your program does not have, and was not asked for: \(names)"]
        return absence
            + (takesAnyRefusal ? ["Any error was taken as a refusal: their ids were not compared"] : [])
    }

    var coverage: Coverage { Coverage(report: self) }
}
