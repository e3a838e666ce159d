import Foundation

/// When a process is killed: some time after its start, or some time after it began to write the vault.
struct KillPoint: CustomStringConvertible {
    let afterWriting: Bool
    let seconds: Double

    var description: String {
        "\(Int(seconds * 1_000_000)) µs after \(afterWriting ? "the first write" : "the start")"
    }

    /// A third of the points fall anywhere in the usual duration, the others where the vault is written.
    static func random(of duration: Double, using draws: inout SeededDraws) -> KillPoint {
        let afterWriting = Int.random(in: 0..<3, using: &draws) > 0
        let most = afterWriting ? max(0.006, duration / 30) : duration
        return KillPoint(afterWriting: afterWriting, seconds: .random(in: 0...most, using: &draws))
    }

    /// Waits for the point and kills the process; returns earlier if the process ends before.
    func strike(_ running: Running, in folder: URL) {
        if afterWriting {
            while running.isRunning, !Self.isWriting(folder) { Thread.sleep(forTimeInterval: 0.000_05) }
        }
        Thread.sleep(forTimeInterval: seconds)
        running.kill()
    }

    /// Every file is written under another name first.
    private static func isWriting(_ folder: URL) -> Bool {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path())
        return names?.contains { $0.hasPrefix(".closer-keys.") } ?? false
    }
}

/// Random numbers that can be repeated, by SplitMix64.
struct SeededDraws: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
