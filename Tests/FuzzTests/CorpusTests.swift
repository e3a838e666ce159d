import CloserWire
import Foundation
import FuzzTargets
import TestSupport
import Testing

/// What fuzzing has learnt, without a fuzzer: `scripts/checks.d/fuzz` runs the same targets from the same inputs.
@Suite("The fuzzers' corpus")
struct CorpusTests {
    @Test(
        "every input is read, or refused, without a trap", .proves("No input crashes the program"),
        arguments: FuzzTarget.allCases)
    func replayed(_ target: FuzzTarget) throws {
        let inputs = try Self.inputs(of: target)
        #expect(inputs.count >= 10)
        for input in inputs { target.run(input) }
    }

    @Test(
        "every input again with each of its ends cut off, and with a byte more",
        arguments: FuzzTarget.allCases)
    func cut(_ target: FuzzTarget) throws {
        for input in try Self.inputs(of: target) where input.count <= 128 {
            target.run(Array(input.dropFirst()))
            target.run(input.dropLast())
            target.run(input + [0])
        }
    }

    @Test("every target has a corpus, and every corpus a target")
    func complete() throws {
        let folder = TestData.root.appending(path: "vectors/corpus")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(Set(names) == Set(FuzzTarget.allCases.map { "\($0.rawValue).txt" }))
    }

    /// A line each, in hexadecimal; `-` is the empty one.
    private static func inputs(of target: FuzzTarget) throws -> [[UInt8]] {
        let file = TestData.root.appending(path: "vectors/corpus/\(target.rawValue).txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0 == "-" ? [] : try Hex.decode(String($0))
        }
    }
}
