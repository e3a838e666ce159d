import Foundation
import Testing

@testable import CloserPrimitives

/// The lock and the counter, from several threads at once.
@Suite struct LockTests {
    private final class Shared: Sendable {
        let sum = Lock(0)
        let bits = Counter()
        let count = Counter()
        let owners = Lock([Int](repeating: 0, count: 8))
    }

    @Test func noChangeIsLost() {
        let shared = Shared()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 {
                shared.sum.withLock { $0 += 1 }
                shared.count.add(1)
            }
        }
        #expect(shared.sum.withLock { $0 } == 80_000)
        #expect(shared.count.value == 80_000)
    }

    /// Eight threads take bits and give them back, as the arena does: nobody has a bit that another one has.
    @Test func noBitIsTakenTwice() {
        let shared = Shared()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<5000 {
                var bits = shared.bits.value
                var index = 0
                repeat {
                    index = (~bits).trailingZeroBitCount
                } while !shared.bits.replace(&bits, by: bits | 1 << index)
                shared.owners.withLock {
                    $0[index] += 1
                    if $0[index] != 1 { shared.count.add(1) }
                }
                shared.owners.withLock { $0[index] -= 1 }
                shared.bits.keep(~(1 << index))
            }
        }
        #expect(shared.count.value == 0)
        #expect(shared.bits.value == 0)
    }

    @Test func aTakenLockIsNotWaitedFor() {
        let shared = Shared()
        shared.sum.withLock { _ in
            let result = Lock<Int??>(nil)
            DispatchQueue.concurrentPerform(iterations: 1) { _ in
                let thread = Thread { result.withLock { $0 = .some(shared.sum.withLockIfAvailable { $0 }) } }
                thread.start()
                while !thread.isFinished { usleep(1000) }
            }
            #expect(result.withLock { $0 } == .some(.none))
        }
        #expect(shared.sum.withLockIfAvailable { $0 } == 0)
    }

    @Test func anErrorGivesTheLockBack() {
        struct Stop: Error {}
        let shared = Shared()
        #expect(throws: Stop.self) { try shared.sum.withLock { _ in throw Stop() } }
        #expect(shared.sum.withLockIfAvailable { $0 } == 0)
    }
}
