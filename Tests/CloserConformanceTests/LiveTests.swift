import CloserVectors
import TestSupport
import Testing

@testable import CloserConformance

/// What our own library makes of live cases.
@Suite("Live cases")
struct LiveTests {
    @Test(
        "our implementation gives the expected result for every case",
        arguments: VectorOperation.withLiveCases.map(\.name))
    func own(_ name: String) throws {
        var ours = OwnImplementation()
        let operation = try VectorOperation.live(name)
        let count = Effort.count(20, full: 100)
        let counts = try LiveRunner.run(operation, count: count, with: &ours).counts
        #expect(counts.passed == operation.caseCount(outOf: count))
        #expect(counts.failed == 0)
    }
}

extension VectorOperation {
    /// One of those that have live cases.
    static func live(_ name: String) throws -> VectorOperation {
        try #require(withLiveCases.first { $0.name == name })
    }
}
