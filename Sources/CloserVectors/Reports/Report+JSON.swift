package import CloserWire

extension Report {
    /// For programs: nothing is shortened.
    package var json: JSONValue {
        .object(
            [.init("verdict", .string(verdict.rawValue)), .init("cases", .number(Double(counts.total)))]
                + Self.members(counts) + mismatches + [
                    .init("files", .array(files.map(describe))),
                    .init("failures", .array(failures.map(Self.describe))),
                ])
    }

    /// Features that are no operations, and operations that the program does not have; only where there are any.
    private var mismatches: [JSONValue.Member] {
        [("unknownFeatures", unknownFeatures), ("absentOperations", absentOperations)].compactMap {
            $1.isEmpty ? nil : .init($0, .array($1.map { .string($0) }))
        }
    }

    private static func members(_ counts: Counts) -> [JSONValue.Member] {
        [
            .init("passed", .number(Double(counts.passed))), .init("failed", .number(Double(counts.failed))),
            .init("skipped", .number(Double(counts.skipped))),
        ]
    }

    private func describe(_ file: FileResult) -> JSONValue {
        let reasons = obstacles(in: file).map { reason, count -> JSONValue in
            ["reason": .string(reason), "count": .number(Double(count))]
        }
        let name = JSONValue.Member("file", .string(file.name))
        let algorithm = file.algorithm.map { JSONValue.Member("algorithm", .string($0)) }
        return .object(
            [name] + (algorithm.map { [$0] } ?? []) + Self.members(file.counts)
                + [.init("skippedFor", .array(reasons))])
    }

    private static func describe(_ failure: FailedCase) -> JSONValue {
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
