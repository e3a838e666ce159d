internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Testing

/// A thread for what blocks. A task would take one of the few threads that all tests share, and its own test could wait for another one of
/// them.
public final class OwnThread<Outcome: Sendable>: Sendable {
    private let outcome = Mutex<Result<Outcome, any Error>?>(nil)
    private let end = DispatchSemaphore(value: 0)

    public init(_ body: @escaping @Sendable () throws -> Outcome) {
        Thread.detachNewThread { [self] in
            let result = Result { try body() }
            outcome.withLock { $0 = result }
            end.signal()
        }
    }

    /// What came of it. A thread that does not end within so many seconds fails the test.
    public func result(within seconds: Double = 60) throws -> Outcome {
        let isOver = end.wait(timeout: .now() + seconds) == .success
        try #require(isOver, "it waits for something")
        end.signal()
        return try #require(outcome.withLock { $0 }).get()
    }
}
