extension SelfTest {
    /// What came of all tests on this machine, in this process.
    public struct Report: Equatable, Sendable {
        /// The names of the tests whose answers were right.
        public let passed: [String]
        /// The names of the tests whose answers were wrong. Use nothing of this library on such a machine.
        public let failed: [String]
        /// How many pieces of memory for secrets this process has taken until now.
        public let memoryPieces: Int
        /// How many of them the system did not lock, so that they may reach a swap file.
        public let unlockedMemoryPieces: Int

        /// Whether no answer was wrong. Memory that is not locked is no wrong answer.
        public var isPassed: Bool { failed.isEmpty }
    }

    /// Computes a known answer with each primitive, as `closer-keys self-test` does.
    ///
    /// It blocks its thread for some milliseconds. An app can run it once, after an update of the system or of itself.
    public static func run() -> Report {
        let results = all.map { (name: $0.name, passes: $0.passes()) }
        let memory = Self.memory
        return Report(
            passed: results.filter(\.passes).map(\.name), failed: results.filter { !$0.passes }.map(\.name),
            memoryPieces: memory.taken, unlockedMemoryPieces: memory.unlocked)
    }
}
