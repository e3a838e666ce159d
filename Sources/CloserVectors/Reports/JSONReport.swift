internal import CloserWire

/// A report for programs, unshortened.
struct JSONReport {
    let report: Report

    var value: JSONValue {
        let (verdict, counts) = (report.verdict.rawValue, report.counts)
        return .object(
            [.init("verdict", .string(verdict)), .init("cases", .number(Double(counts.total)))]
                + members(counts) + leniency + mismatches + [
                    .init("files", .array(report.files.map(describe))),
                    .init("failures", .array(report.failures.map(describe))),
                ])
    }

    /// Only where every refusal counted.
    private var leniency: [JSONValue.Member] {
        report.takesAnyRefusal ? [.init("anyRefusal", .bool(true))] : []
    }

    /// Features that are unknown operations, and operations that the program lacks; only where there are any.
    private var mismatches: [JSONValue.Member] {
        let lists = [
            ("unknownFeatures", report.unknownFeatures), ("absentOperations", report.absentOperations),
            ("missingOperations", report.coverage.missing),
        ]
        return lists.filter { !$0.1.isEmpty }.map { .init($0, .array($1.map { .string($0) })) }
    }

    private func members(_ counts: Counts) -> [JSONValue.Member] {
        [
            .init("passed", .number(Double(counts.passed))), .init("failed", .number(Double(counts.failed))),
            .init("skipped", .number(Double(counts.skipped))),
        ]
    }

    private func describe(_ file: FileResult) -> JSONValue {
        let reasons = file.obstacles.map { reason, count -> JSONValue in
            ["reason": .string(reason), "count": .number(Double(count))]
        }
        let name = JSONValue.Member("file", .string(file.name))
        let algorithm = file.algorithm.map { JSONValue.Member("algorithm", .string($0)) }
        return .object(
            [name] + (algorithm.map { [$0] } ?? []) + members(file.counts)
                + [.init("skippedFor", .array(reasons))])
    }

    private func describe(_ failure: FailedCase) -> JSONValue {
        let test = failure.test
        let members: [JSONValue.Member] = [
            .init("file", .string(failure.file.name)), .init("tcId", .number(Double(test.id))),
            .init("operation", .string(test.operation)), .init("comment", .string(test.comment)),
            .init("flags", .array(test.flags.map { .string($0) })),
            .init("about", .array(failure.about.map { .string($0) })),
            .init("expected", .string(failure.expected)), .init("got", .string(failure.got)),
            .init("case", test.input.value),
        ]
        let reading = failure.result.reading.map { reading -> JSONValue in
            ["op": .string(reading.operation), "case": reading.input.value]
        }
        let all = members + (reading.map { [.init("readBack", $0)] } ?? [])
        guard let difference = failure.difference else { return .object(all) }
        let values: JSONValue = [
            "name": .string(difference.name), "expected": .string(difference.expected),
            "got": .string(difference.got),
        ]
        return .object(all + [.init("firstDifference", values)])
    }
}
