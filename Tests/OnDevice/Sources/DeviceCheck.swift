import CloserPrimitives
import CloserVectors

/// What the device that this runs on makes of the known answers and of every vector that is built in.
public struct DeviceCheck: Sendable {
    private let primitives: SelfTest
    private let vectors: Report

    /// Computes all of it, on the device. It blocks its thread for some seconds.
    public static func run() throws -> DeviceCheck {
        try DeviceCheck(
            primitives: SelfTest.run(), vectors: Report(verifying: EmbeddedVectors().entries.map(\.file)))
    }

    /// Whether every answer was right. Where nothing was asked, nothing is proven.
    public var isPassed: Bool {
        primitives.isPassed && !primitives.passed.isEmpty
            && vectors.counts.passed > 0 && vectors.counts.passed == vectors.counts.total
    }

    /// What was right, what was wrong, and whether secrets are in locked memory, for a person.
    public var text: String {
        let (pieces, unlocked) = (primitives.memoryPieces, primitives.unlockedMemoryPieces)
        let wrong = primitives.failed.map { "wrong: \($0)" }
        let lines = [
            "primitives: \(primitives.passed.count) passed, \(primitives.failed.count) failed",
            "memory for secrets: \(pieces) pieces, \(unlocked) of them not locked",
        ]
        return ([vectors.text(.text)] + wrong + lines).joined(separator: "\n")
    }
}
