import CloserPrimitives
import CloserVectors
import Testing

@Suite("Proven on the device that it runs on")
struct DeviceCheckTests {
    @Test("every primitive gives its known answer, and secrets are in locked memory") func selfTest() throws {
        let report = try SelfTest.run()
        #expect(report.isPassed && report.failed.isEmpty && report.passed.count >= 10)
        #expect(report.memoryPieces > 0 && report.unlockedMemoryPieces == 0)
    }

    @Test("every embedded vector passes") func vectors() throws {
        let report = Report(verifying: try EmbeddedVectors().entries.map(\.file))
        #expect(report.verdict == .ok, Comment(rawValue: report.text(.text)))
        #expect(report.counts.passed >= 2340 && report.counts.failed == 0 && report.counts.skipped == 0)
    }
}
