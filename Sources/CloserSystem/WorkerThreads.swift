internal import CCloserSystem

/// Threads that do the same work, until all of them are done.
package struct WorkerThreads: ~Copyable {
    private var threads: [UInt] = []

    package init() {}

    package var isEmpty: Bool { threads.isEmpty }

    /// How many processor cores this process may use.
    package static var coreCount: Int { Int(closer_core_count()) }

    /// Starts `count` threads, or as many as the system gives.
    package mutating func start(_ count: Int, _ work: @escaping @Sendable () -> Void) {
        for _ in 0..<count {
            let work = unsafe Unmanaged.passRetained(Work(work))
            var thread: UInt = 0
            let isStarted = unsafe closer_start_thread({ unsafe Work.run($0) }, work.toOpaque(), &thread)
            guard isStarted else { return unsafe work.release() }
            threads.append(thread)
        }
    }

    /// Waits until all of them are done.
    package mutating func join() {
        for thread in threads { closer_join_thread(thread) }
        threads = []
    }

    deinit { precondition(threads.isEmpty, "threads that were never joined") }
}

/// What a thread is to do, as C passes it on.
private final class Work: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    @unsafe static func run(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    }
}
