internal import CloserWire

extension Report {
    /// The Test Anything Protocol, version 14: a line for each case, numbered through all files.
    var tap: String {
        var lines = ["TAP version 14", "1..\(counts.total)"]
        var number = 0
        for file in files {
            for result in file.results {
                number += 1
                lines += Self.tap(result, number, file)
            }
        }
        if let absence = absence() { lines.append("# \(absence)") }
        // Each case that was asked is ok, and still the whole is not.
        if verdict == .coverageTooLow, let reason { lines.append("Bail out! \(reason)") }
        return lines.joined(separator: "\n")
    }

    private static func tap(_ result: CaseResult, _ number: Int, _ file: FileResult) -> [String] {
        let name = escaped("\(file.name) \(result.test.id): \(result.test.comment)")
        switch result.verdict {
        case .passed: return ["ok \(number) - \(name)"]
        case .skipped(let reason): return ["ok \(number) - \(name) # SKIP \(escaped(reason))"]
        case .failed:
            let block = FailedCase(result, in: file).map(Self.values) ?? []
            return ["not ok \(number) - \(name)", "  ---"] + block + ["  ..."]
        }
    }

    private static func values(_ failure: FailedCase) -> [String] {
        let values =
            [("operation", failure.test.operation)] + failure.about.map { ("about", $0) } + [
                ("expected", failure.expected), ("got", failure.got),
            ] + (failure.difference.map { [("firstDifference", $0.words)] } ?? [])
        return values.map { "  \($0.0): \(quoted($0.1))" }
    }

    /// A `#` would begin a directive.
    private static func escaped(_ text: String) -> String {
        Shown.short(text) { $0 == "\\" || $0 == "#" ? "\\\($0)" : nil }
    }

    /// A double-quoted scalar of YAML, which has all of JSON's escapes.
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(Shown.short(text)).bytes, as: UTF8.self)
    }
}
