import CloserKeys
import CloserVault
import Dispatch
import Foundation
import Synchronization
import Testing

/// Opened once, from another thread or task.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func pass() { semaphore.wait() }
}

@Suite("An actor for a vault")
struct VaultActorTests {
    private func room(_ memory: StandInMemory = StandInMemory()) throws -> (VaultActor, Vault) {
        let vault = try Vault.inMemory(for: UserID(parsing: "alice"))
        return (try VaultActor(vault, memory: memory), vault)
    }

    @Test("more of them than cores wait within use for a task elsewhere, and it runs")
    func starving() async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let rooms = try (0..<count).map { _ in try room().0 }
        let (begun, gates) = (Gate(), rooms.map { _ in Gate() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (room, gate) in zip(rooms, gates) {
                group.addTask {
                    try await room.use { _ in
                        begun.open()
                        gate.pass()
                    }
                }
            }
            // All of them are within `use` now, so this task is the one elsewhere: had they the threads of tasks, it would not run.
            group.addTask { @Sendable in
                await withCheckedContinuation { done in
                    Thread.detachNewThread {
                        for _ in rooms { begun.pass() }
                        done.resume()
                    }
                }
                for gate in gates { gate.open() }
            }
            try await group.waitForAll()
        }
    }

    @Test("a task that is cancelled while it waits for its turn does not begin") func cancelled() async throws
    {
        let (room, vault) = try room()
        let (couple, gate, isHeld) = (try CoupleID(parsing: "couple_1"), Gate(), Gate())
        let begun = Mutex(false)
        let first = Task {
            try await room.use { _ in
                isHeld.open()
                gate.pass()
            }
        }
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                isHeld.pass()
                done.resume()
            }
        }
        let second = Task {
            try await room.use { vault in
                begun.withLock { $0 = true }
                try vault.store(vault.draftCouple(of: couple, beginningAt: .strict))
            }
        }
        second.cancel()
        gate.open()
        try await first.value
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(!begun.withLock { $0 })
        #expect(try vault.coupleIDs == [])
    }

    @Test(
        "what a task stored before it was cancelled is remembered, and so is what others stored before it began"
    )
    func kept() async throws {
        let memory = StandInMemory()
        let (room, vault) = try room(memory)
        let (couple, gate, stored) = (try CoupleID(parsing: "couple_1"), Gate(), Gate())
        let during = Task {
            try await room.use { vault in
                try vault.store(vault.draftOffer(of: couple, beginningAt: .strict))
                stored.open()
                gate.pass()
                try Task.checkCancellation()
            }
        }
        stored.pass()
        during.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await during.value }
        #expect(memory.versions.last == vault.version)

        _ = try vault.cancelOffer(of: couple)
        let before = Task {
            while !Task.isCancelled { await Task.yield() }
            try await room.use { _ in }
        }
        before.cancel()
        await #expect(throws: CancellationError.self) { try await before.value }
        #expect(memory.versions.last == vault.version)
        #expect(memory.versions.count == 3)
    }
}
