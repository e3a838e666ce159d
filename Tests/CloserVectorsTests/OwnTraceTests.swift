import CloserWire
import Testing

@testable import CloserVectors

/// Our values on the way are those of the other implementations, so that a difference means something.
@Suite("Our values on the way")
struct OwnTraceTests {
    /// Not stream.open: its segment key stays where it is derived.
    @Test(
        "are those of every vector that tells some",
        arguments: [
            ("chat_fitlink.json", 13), ("chat_fond.json", 13), ("wrap.json", 9), ("invite.json", 4),
            ("sealed_answer.json", 22), ("ecies.json", 1), ("keybox.json", 1), ("cpace.json", 20),
            ("pairing.json", 60), ("field_v2.json", 32),
        ])
    func same(_ name: String, _ least: Int) throws {
        let file = try #require(try EmbeddedVectors.once.get().entries.first { $0.file.name == name }?.file)
        var compared = 0
        for test in file.cases {
            let ours = test.ownTrace
            let told = Trace.names.filter { test.trace[$0] != nil }
            guard !told.isEmpty else { continue }
            compared += 1
            for value in told { #expect(ours[value] == test.trace[value], "\(name) \(test.id) \(value)") }
        }
        #expect(compared >= least, "\(name): \(compared)")
    }

    @Test("are told when an answer is wrong")
    func wrong() throws {
        let entry = try #require(
            try EmbeddedVectors.once.get().entries.first { $0.file.name == "chat_fond.json" })
        let text = String(decoding: entry.bytes, as: UTF8.self)
        let secret = try #require(entry.file.cases[0].trace["derivedKey"])
        let output = try #require(entry.file.cases[0].expectation.words.firstMatch(of: /[0-9a-f]{16,}/))
            .output
        let other = text.replacing(secret, with: "00" + secret.dropFirst(2)).replacing(output, with: "00")
        var ours = OwnImplementation()
        let report = Report(files: [
            Runner.run(try VectorFile(name: "other", parsing: Array(other.utf8)), with: &ours)
        ])
        #expect(report.failures.first?.difference?.name == "derivedKey")
        #expect(report.failures.first?.difference?.got == secret)
    }
}
