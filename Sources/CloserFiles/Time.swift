internal import CCloserFiles

/// The time of day, as this machine has it.
package enum WallClock {
    /// Seconds since 1970.
    package static var now: UInt64 { UInt64(max(0, time(nil))) }
}

/// Waiting for what another process or thread holds.
package enum Patience {
    /// Tries until `attempt` gives a result, with pauses that grow from 0.2 to 10 ms; nil once `patience` is over.
    package static func retry<Result: ~Copyable, Failure: Error>(
        for patience: Duration, _ attempt: () throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        let start = ContinuousClock.now
        var pause = useconds_t(200)
        while true {
            if let result = try attempt() { return result }
            guard ContinuousClock.now < start + patience else { return nil }
            usleep(pause)
            pause = min(2 * pause, 10_000)
        }
    }
}
