internal import CCloserSystem

/// A value that threads change one at a time, each when the value is ready for it.
///
/// Unlike a `Lock`, it waits for a condition.
@safe package final class Monitor<Value: ~Copyable>: Sendable {
    private nonisolated(unsafe) let value: UnsafeMutablePointer<Value>
    private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private nonisolated(unsafe) let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ initial: consuming sending Value) {
        unsafe value = .allocate(capacity: 1)
        unsafe value.initialize(to: initial)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(change, nil)
    }

    /// Waits until `isReady`, runs `body`, and lets the others look again.
    package func when<Result: ~Copyable, Failure: Error>(
        _ isReady: (borrowing Value) -> Bool, _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(change)
            unsafe pthread_mutex_unlock(mutex)
        }
        while unsafe !isReady(value.pointee) { unsafe pthread_cond_wait(change, mutex) }
        return try unsafe body(&value.pointee)
    }

    /// Runs `body` at once.
    package func now<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try when({ _ in true }, body)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe pthread_cond_destroy(change)
        unsafe mutex.deallocate()
        unsafe change.deallocate()
    }
}
