import CloserWire
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CloserVectors

@Suite("Cases that several threads put")
struct SharedRunTests {
    private let files: [VectorFile]

    init() throws {
        let names: Set = ["aead.json", "invite.json", "keyset.json", "wrap.json"]
        files = try EmbeddedVectors.once.get().entries.map(\.file).filter { names.contains($0.name) }
        try #require(files.count == names.count)
    }

    /// A report without times, in every format.
    private func texts(_ results: [FileResult]) -> [String] {
        Report.Format.allCases.map {
            Report(files: results).text($0).replacing(#/ time="[0-9.]*"/#, with: "")
        }
    }

    @Test("the report of many threads is that of one, whoever is done first", arguments: [1, 2, 8])
    func same(threadCount: Int) {
        var alone = Erring()
        let expected = texts(files.map { Runner.run($0, with: &alone) })
        let run = SharedRun(files)
        DispatchQueue.concurrentPerform(iterations: threadCount) { thread in
            if thread == 0 { run.lead(with: Erring()) } else { run.help(with: Erring()) }
        }
        let results = run.finish(with: Silent())
        #expect(texts(results) == expected)
        let counts = Report(files: results).counts
        #expect(counts.failed > 20 && counts.skipped > 50 && counts.passed > 100)
    }

    @Test("who helps puts what derives keys and nothing else, who leads the rest, and no case is put twice")
    func once() {
        let (helped, led) = (Asked(), Asked())
        let run = SharedRun(files)
        run.help(with: Noting(asked: helped))
        run.lead(with: Noting(asked: led))
        _ = run.finish(with: Silent())
        let slow = files.filter { ["invite.json", "wrap.json"].contains($0.name) }
        #expect(helped.names == slow.flatMap(\.cases).map(\.name))
        #expect((led.names + helped.names).sorted() == files.flatMap(\.cases).map(\.name).sorted())
    }

    @Test("a case for which there was no memory is put once more, when nobody else works")
    func memory() throws {
        let run = SharedRun(files)
        run.lead(with: Starved())
        var alone = Erring()
        #expect(texts(run.finish(with: Erring())) == texts(files.map { Runner.run($0, with: &alone) }))
        let quick = files.filter { $0.name == "aead.json" }
        let starved = Report(files: SharedRun(quick).finish(with: Starved()))
        #expect(starved.counts.failed == starved.counts.total)
        #expect(starved.text(.text).contains("the system gave no memory for Argon2id"))
    }
}

extension VectorCase {
    fileprivate var name: String { "\(operation) \(id)" }
}

/// Sometimes wrong, and slow in its own way. It derives no key, nor has one derived to explain why it is wrong.
private struct Erring: Implementation {
    func answer(_ test: VectorCase) -> Answer {
        usleep(UInt32(test.id % 7) * 100)
        let derives = test.operation == "wrap.unwrap" || test.operation == "invite.open"
        return switch test.id % 5 {
        case 0 where !derives: Answer(.error("noKey"))
        case 0, 1: Answer(.skipped("not \(test.name)"))
        default: Answer(test.expectation.rightAnswer)
        }
    }
}

extension CloserVectors.Expectation {
    fileprivate var rightAnswer: Outcome {
        switch self {
        case .output(let output), .outputOrRefusal(let output), .readable(let output): .output(output)
        case .error(let error): .error(error)
        case .refusal: .error("")
        }
    }
}

/// Must not be asked.
private struct Silent: Implementation {
    func answer(_ test: VectorCase) -> Answer { Answer(.fault("was asked \(test.operation) \(test.id)")) }
}

/// Notes what it is asked.
private struct Noting: Implementation {
    let asked: Asked

    func answer(_ test: VectorCase) -> Answer {
        asked.note(test.name)
        return Answer(.skipped(""))
    }
}

private final class Asked: Sendable {
    private let list = Mutex<[String]>([])

    var names: [String] { list.withLock { $0 } }
    func note(_ name: String) { list.withLock { $0.append(name) } }
}

/// Never has memory.
private struct Starved: Implementation {
    func answer(_: VectorCase) -> Answer { .withoutMemory }
}
