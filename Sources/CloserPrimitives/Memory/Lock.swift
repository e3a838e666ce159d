internal import CCloserSync

/// A value that one thread at a time may use: `os_unfair_lock` on Apple's systems, `pthread_mutex_t` elsewhere.
///
/// It does what `Synchronization.Mutex` does, which iOS 17 and macOS 14 lack. A thread that takes it twice is
/// stopped by Apple's systems, and waits for ever on Linux.
@safe package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    /// One allocation for both: a lock must not move.
    @unsafe private struct Cell: ~Copyable {
        var lock = unsafe closer_lock_new()
        var value: Value
    }

    private let cell: UnsafeMutablePointer<Cell>

    package init(_ value: consuming sending Value) {
        unsafe cell = .allocate(capacity: 1)
        unsafe cell.initialize(to: unsafe Cell(value: value))
    }

    /// Waits until the value is free, and lends it to `body`.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe closer_lock_take(&cell.pointee.lock)
        defer { unsafe closer_lock_give(&cell.pointee.lock) }
        return try unsafe body(&cell.pointee.value)
    }

    /// Lends the value to `body`; nil, and at once, while another thread uses it.
    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard unsafe closer_lock_try(&cell.pointee.lock) else { return nil }
        defer { unsafe closer_lock_give(&cell.pointee.lock) }
        return try unsafe body(&cell.pointee.value)
    }

    deinit {
        unsafe cell.deinitialize(count: 1)
        unsafe cell.deallocate()
    }
}
