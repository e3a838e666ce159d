import CloserPrimitives
import CloserVectors
import Testing

// doc: ProveItOnYourDevice
/// What is wrong on this device; nil if every answer was the known one. It blocks its thread for some seconds.
nonisolated func faultOnThisDevice() throws -> String? {
    let report = try SelfTest.run()
    guard report.isPassed else { return "wrong answers: \(report.failed.joined(separator: ", "))" }
    let vectors = Report(verifying: try EmbeddedVectors().entries.map(\.file))
    return vectors.reason
}
// doc: end

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

    @Test("the report is printed as its comment says") func printed() throws {
        // doc: Report
        let report = Report(verifying: try EmbeddedVectors().entries.map(\.file))
        print(report.text(.text))
        // doc: end
        #expect(report.text(.text).hasSuffix("passed"))
    }

    @Test("the article's function finds no fault here") func article() throws {
        #expect(try faultOnThisDevice() == nil)
    }
}
