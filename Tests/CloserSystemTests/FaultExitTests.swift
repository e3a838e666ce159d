import Foundation
import Synchronization
import Testing

@testable import CloserSystem

@Suite("A process that ends by a fault of its own", .serialized)
struct FaultExitTests {
    @Test("ends once, with its last words, however many threads have one at the same time", arguments: 0..<5)
    func crowd(_ round: Int) async {
        let end = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
            let words = ExitMessage(code: 70, output: "", errors: "the last words\n")
            ProcessEnd.speakLast(ofShortage: words, ofFault: words)
            let waiting = WaitingThreads()
            for _ in 0..<16 {
                Thread.detachNewThread {
                    waiting.count.add(1, ordering: .relaxed)
                    while waiting.count.load(ordering: .relaxed) < 16 { sched_yield() }
                    preconditionFailure("planted")
                }
            }
            sleep(20)
        }
        let told = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
        #expect(told.split(separator: "\n").filter { $0 == "the last words" }.count == 1, "\(told)")
    }
}

private final class WaitingThreads: Sendable {
    let count = Atomic(0)
}
