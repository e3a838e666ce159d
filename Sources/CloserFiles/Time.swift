internal import CCloserFiles

/// The time of day, as this machine has it.
package enum WallClock {
    /// Seconds since 1970.
    package static var now: UInt64 { UInt64(max(0, time(nil))) }

    /// A moment to the minute, for a message: `2026-11-27 14:05 UTC`.
    package static func text(_ seconds: UInt64) -> String {
        // Years begin in March, so that the leap day is their last one; 400 years have 146,097 days, and 1970 begins 719,468 days after
        // the first March of year 0 (Gregorian).
        let day = seconds / 86400 + 719_468
        let (era, dayOfEra) = (day / 146_097, day % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let date = [
            400 * era + yearOfEra + (month < 3 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1,
        ]
        return "\(twoDigits(date, "-")) \(twoDigits([seconds / 3600 % 24, seconds / 60 % 60], ":")) UTC"
    }

    private static func twoDigits(_ numbers: [UInt64], _ separator: String) -> String {
        numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
    }
}

/// Waiting for what another process, thread or device does.
package enum Patience {
    /// Sleeps for a random time: up to 2 ms after the first attempt, and up to twice as long after each further attempt. Two devices that
    /// collided then take turns.
    package static func backOff(_ attempt: Int) { usleep(.random(in: 0...(1000 << min(attempt, 10)))) }

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
