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
                    test, implementation.answer(test), trace: test.trace.filled(with: OwnTraces.of(test))))
        }
        return FileResult(
            name: file.name, algorithm: file.algorithm, notes: file.notes, results: results)
    }
}
