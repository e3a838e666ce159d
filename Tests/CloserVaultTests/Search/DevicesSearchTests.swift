import TestSupport
import Testing

/// Random walks of two and three devices of one user, each of two processes, over a server that shows any state that it ever had, loses
/// and delays requests, with kills, new vault keys, accepted older states and restored copies.
@Suite("Walks of several devices with one vault")
struct DevicesSearchTests {
    @Test(
        "take no state that did not come of the one that was seen, lose no change, make none twice",
        .proves("V2: an older copy of the vault is refused on a machine that has seen a newer one"),
        arguments: [2, 3])
    func walks(_ deviceCount: Int) throws {
        var (reached, stepCount) = ([String: Int](), 0)
        for seed in 0..<UInt64(Effort.count(300, full: 1500)) {
            let world = try DevicesWorld(devices: deviceCount, seed: seed)
            for _ in 0..<100 where world.rules.faults.isEmpty { try world.step() }
            reached.merge(world.reached) { $0 + $1 }
            stepCount += world.stepCount
            for fault in world.rules.faults {
                Issue.record(
                    "\(fault), by seed \(seed) after: \(world.trail.suffix(12).joined(separator: "; "))")
            }
        }
        for goal in Self.goals { #expect(reached[goal] != nil, "\(goal): \(reached.keys.sorted())") }
        print("walks of \(deviceCount) devices: \(stepCount) steps, \(reached.count) outcomes")
    }

    /// What a walk that found no fault must have tried.
    private static let goals = [
        "change: done", "change: rolledBack", "change: mayBeWritten", "change: authFailed",
        "changeAgain: done", "changeOutrun: done", "renewKey: mayBeWritten", "refresh: rolledBack",
        "acceptOlder: done", "restore: done",
        "renewKey: done", "openFresh: done",
    ]
}
