import CloserSystem
import Synchronization
import Testing

@Suite("Threads, and a value that they share")
struct WorkerThreadsTests {
    @Test("each thread waits until the value is ready for it, and all are done when they are joined")
    func turns() {
        let list = Monitor([Int]())
        let next = Atomic(0)
        var crew = WorkerThreads()
        crew.start(4) {
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < 1000 else { return }
                list.when({ $0.count == number }) { $0.append(number) }
            }
        }
        let isEmpty = crew.isEmpty
        #expect(!isEmpty)
        crew.join()
        #expect(list.now { $0 } == Array(0..<1000))
    }

    @Test("what the value's change throws is thrown, and the next one gets its turn")
    func throwing() {
        struct Refusal: Error {}
        let value = Monitor(1)
        #expect(throws: Refusal.self) { try value.now { _ throws(Refusal) in throw Refusal() } }
        #expect(value.now { $0 } == 1)
    }

    @Test("there is a core, and no more than the machine has")
    func cores() { #expect((1...4096).contains(WorkerThreads.coreCount)) }
}
