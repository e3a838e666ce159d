internal import Dispatch

/// The thread of a ``VaultActor``: a serial queue of Dispatch, which brings a thread of its own for what waits.
///
/// Tasks share as many threads as the device has cores. A derivation on one of these would hold up tasks that do something else.
final class VaultExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "closer-keys.vault")

    /// Puts a part of a task behind those that wait already.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Unsafe where the executor is gone before the job runs: the closure owns it.
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

extension VaultActor {
    /// The thread on which the calls of ``use(_:)`` take turns.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        // Unsafe where the executor is gone before the actor: the actor owns it.
        unsafe executor.asUnownedSerialExecutor()
    }
}
