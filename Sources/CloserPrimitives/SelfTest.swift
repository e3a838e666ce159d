/// What came of a known answer for each primitive on this machine, in this process, as `closer-keys self-test` says it.
public struct SelfTest: Equatable, Sendable {
    /// The names of the primitives whose answers were right, with the source of each answer.
    public let passed: [String]
    /// The names of those whose answers were wrong. Stop using this library on such a machine.
    public let failed: [String]
    /// How many pieces of memory for secrets this process has taken until now.
    public let memoryPieces: Int
    /// How many of them the system left unlocked, so that they may reach a swap file.
    public let unlockedMemoryPieces: Int

    /// Whether all answers were right. Unlocked memory counts as right.
    public var isPassed: Bool { failed.isEmpty }

    /// Computes a known answer with each primitive.
    ///
    /// It blocks its thread for some milliseconds. An app can run it once, after an update of the system or of itself.
    ///
    /// - Throws: ``MemoryShortage`` if the system does not give Argon2id its 7 MiB: then nothing is known.
    public static func run() throws(MemoryShortage) -> SelfTest {
        var (passed, failed): ([String], [String]) = ([], [])
        for answer in KnownAnswer.all {
            if try answer.passes() { passed.append(answer.name) } else { failed.append(answer.name) }
        }
        let memory = Self.memory
        return SelfTest(
            passed: passed, failed: failed, memoryPieces: memory.taken,
            unlockedMemoryPieces: memory.unlocked)
    }

    /// How many pieces of memory for secrets this process took until now, and how many of them are unlocked: a
    /// secret in those may reach a swap file.
    package static var memory: (taken: Int, unlocked: Int) { GuardedPages.counts }
}
