internal import CloserWire

/// What came of a run, to be written for people and for machines.
package struct Report: Sendable {
    package let files: [FileResult]
    /// How much of the cases must be answered, in percent.
    package let minimumCoverage: Double
    /// What ``files`` are.
    let unit: Unit
    /// What a foreign program says that it has, and that is no operation.
    let unknownFeatures: [String]
    /// The operations with live cases that the program does not have; empty if some were named.
    let absentOperations: [String]

    package init(
        files: [FileResult], minimumCoverage: Double = 0, of unit: Unit = .file,
        unknownFeatures: [String] = [], absentOperations: [String] = []
    ) {
        (self.files, self.minimumCoverage, self.unit) = (files, minimumCoverage, unit)
        (self.unknownFeatures, self.absentOperations) = (unknownFeatures, absentOperations)
    }

    /// Cases come in files, or were made for an operation.
    package enum Unit: String, Sendable { case file, operation }

    /// What the whole says, by the name that scripts compare.
    package enum Verdict: String, Sendable { case ok, vectorMismatch, coverageTooLow }

    package var verdict: Verdict {
        guard counts.failed == 0 else { return .vectorMismatch }
        return isEnough && neverRefused.isEmpty ? .ok : .coverageTooLow
    }

    /// Why the verdict is no yes, in words for a person; nil if it is one.
    package var reason: String? {
        switch verdict {
        case .ok: nil
        case .vectorMismatch: "\(counts.failed) of \(counts.total) cases failed"
        case .coverageTooLow: coverageReason
        }
    }

    /// What was not asked must not hide behind a yes; nil if nothing was left out.
    func absence(_ written: (String) -> String = { $0 }) -> String? {
        guard !absentOperations.isEmpty else { return nil }
        return
            "Your program does not have, and was not asked for: \(absentOperations.map(written).joined(separator: ", "))"
    }

    /// How a report is written.
    package enum Format: String, CaseIterable, Sendable {
        case text, tap, junit, markdown, json
    }

    package var counts: Counts { Counts(files.lazy.flatMap(\.results)) }

    /// The report, without a newline at its end.
    package func text(_ format: Format) -> String {
        switch format {
        case .text: plainText
        case .tap: tap
        case .junit: junit
        case .markdown: markdown
        case .json: String(decoding: json.printableBytes, as: UTF8.self)
        }
    }

    /// Why cases were passed over, and how many for each reason, in the order they came in.
    func obstacles(in file: FileResult) -> [(reason: String, count: Int)] {
        var found: [(reason: String, count: Int)] = []
        for case .skipped(let reason) in file.results.map(\.verdict) {
            if let place = found.firstIndex(where: { $0.reason == reason }) {
                found[place].count += 1
            } else {
                found.append((reason, 1))
            }
        }
        return found
    }
}

extension Trace.Difference {
    /// For a person.
    var words: String { "\(name) is \(Shown.short(got)), expected \(Shown.short(expected))" }
}
