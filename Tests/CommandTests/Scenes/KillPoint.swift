import Foundation
import TestSupport

/// When a process is killed: some time after its start, or some time after it began to change the vault.
struct KillPoint: CustomStringConvertible {
    let isInChange: Bool
    let seconds: Double

    var description: String {
        "\(Int(seconds * 1_000_000)) µs after \(isInChange ? "the vault was locked" : "the start")"
    }

    /// A third of the points fall anywhere in the usual duration, the others where the vault is written.
    static func random(of duration: Double, using draws: inout SeededDraws) -> KillPoint {
        let isInChange = Int.random(in: 0..<3, using: &draws) > 0
        let most = isInChange ? max(0.006, duration / 30) : duration
        return KillPoint(isInChange: isInChange, seconds: .random(in: 0...most, using: &draws))
    }

    /// Waits for the point and kills the process; returns earlier if the process ends before.
    ///
    /// A change takes the lock right before it reads and writes the vault, after all that Argon2id's time is needed for. The
    /// lock's file must not be there at the start.
    func strike(_ running: Running, locking lock: URL) {
        if isInChange {
            while running.isRunning, !FileManager.default.fileExists(atPath: lock.path()) {
                Thread.sleep(forTimeInterval: 0.000_05)
            }
        }
        Thread.sleep(forTimeInterval: seconds)
        running.kill()
    }
}
