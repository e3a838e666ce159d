extension SelfTest {
    /// What came of all tests on this machine, in this process.
    public struct Report: Equatable, Sendable {
        /// The names of the tests whose answers were right.
        public let passed: [String]
        /// The names of the tests whose answers were wrong. Stop using this library on such a machine.
        public let failed: [String]
        /// How many pieces of memory for secrets this process has taken until now.
        public let memoryPieces: Int
        /// How many of them the system left unlocked, so that they may reach a swap file.
        public let unlockedMemoryPieces: Int

        /// Whether all answers were right. Unlocked memory counts as right.
        public var isPassed: Bool { failed.isEmpty }
    }

    /// Computes a known answer with each primitive, as `closer-keys self-test` does.
    ///
    /// It blocks its thread for some milliseconds. An app can run it once, after an update of the system or of itself.
    ///
    /// - Throws: ``MemoryShortage`` if the system does not give Argon2id its 7 MiB: then nothing is known.
    public static func run() throws(MemoryShortage) -> Report {
        var (passed, failed): ([String], [String]) = ([], [])
        for test in all {
            if try test.passes() { passed.append(test.name) } else { failed.append(test.name) }
        }
        let memory = Self.memory
        return Report(
            passed: passed, failed: failed, memoryPieces: memory.taken,
            unlockedMemoryPieces: memory.unlocked)
    }
}
