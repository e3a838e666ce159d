/// Something that answers vectors: this library, or a program that somebody else wrote.
package protocol Implementation: ~Copyable {
    mutating func answer(_ test: VectorCase) -> Answer
    /// Begins anew, as a process does.
    mutating func restart()
}

extension Implementation where Self: ~Copyable {
    package mutating func restart() {}
}

/// Asks an implementation every case, and judges the answers.
package enum Runner {
    /// What came of all the cases of a file, in their order.
    package static func run(
        _ file: VectorFile, with implementation: inout some Implementation & ~Copyable
    ) -> FileResult {
        var results: [CaseResult] = []
        for test in file.cases {
            results.append(
                CaseResult(
                    test, implementation.answer(test), trace: test.trace.filled(with: test.ownTrace)))
        }
        return FileResult(
            name: file.name, algorithm: file.algorithm, notes: file.notes, results: results)
    }
}
