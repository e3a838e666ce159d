internal import CloserPrimitives

/// The cases of several files, for threads that put them to this library at once.
///
/// One thread leads, and puts the quick cases: threads that lock and free guarded memory at once hinder each other. The others
/// help with those that derive keys by Argon2id. Together they need the memory of all of them: a case for which there was none is put
/// once more, when the others have ended. The results stand in the order of the files.
package final class SharedRun: Sendable {
    private let files: [VectorFile]
    private let cases: [VectorCase]
    /// The places of the cases that derive keys.
    private let slow: [Int]
    private let state: Lock<State>

    private struct State {
        /// How many of the slow ones.
        var takenCount = 0
        /// Nil for a case that was not put, or for which there was no memory.
        var results: [CaseResult?]
    }

    package init(_ files: [VectorFile]) {
        self.files = files
        let cases = files.flatMap(\.cases)
        let operations = Set(VectorOperation.all.lazy.filter(\.isSlow).map(\.name))
        slow = cases.indices.filter { operations.contains(cases[$0].operation) }
        self.cases = cases
        state = Lock(State(results: Array(repeating: nil, count: cases.count)))
    }

    /// Puts the quick cases, and then helps with the slow ones. One thread does.
    package func lead(with implementation: consuming some Implementation & ~Copyable = OwnImplementation()) {
        let slow = Set(slow)
        for number in cases.indices where !slow.contains(number) { put(number, to: &implementation) }
        help(with: implementation)
    }

    /// Puts slow cases until all are taken. Any number of threads may, each with an implementation of its own.
    package func help(with implementation: consuming some Implementation & ~Copyable = OwnImplementation()) {
        while let number = take() { put(number, to: &implementation) }
    }

    /// What came of each file. All workers have ended; what is left is put now.
    package func finish(
        with implementation: consuming some Implementation & ~Copyable = OwnImplementation()
    ) -> [FileResult] {
        let results = state.withLock { $0.results }
        var rest = zip(cases, results).map { test, result in
            result ?? test.judged(implementation.timedAnswer(test))
        }[...]
        return files.map { file in
            defer { rest = rest.dropFirst(file.cases.count) }
            return FileResult(file, Array(rest.prefix(file.cases.count)))
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.takenCount < slow.count else { return nil }
            defer { state.takenCount += 1 }
            return slow[state.takenCount]
        }
    }

    private func put(_ number: Int, to implementation: inout some Implementation & ~Copyable) {
        let answer = implementation.timedAnswer(cases[number])
        guard !answer.lacksMemory else { return }
        let result = cases[number].judged(answer)
        state.withLock { $0.results[number] = result }
    }
}
