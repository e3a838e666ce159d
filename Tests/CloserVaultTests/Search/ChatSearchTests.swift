import TestSupport
import Testing

/// Random walks of two people who chat, one of them on two devices, over a server that drops, repeats and exchanges messages and chat
/// keys, with sends that are lost and made again, wrong clocks, months that pass, and vaults that are put back.
@Suite("Walks of a chat")
struct ChatSearchTests {
    @Test("show no message elsewhere, lose none whose key is there, tell each gap once, and end in step")
    func walks() throws {
        var (reached, stepCount) = ([String: Int](), 0)
        for seed in 0..<UInt64(Effort.count(12, full: 600)) {
            let world = try ChatWorld(seed: seed)
            for _ in 0..<120 where world.faults.isEmpty { try world.step() }
            reached.merge(world.reached) { $0 + $1 }
            stepCount += world.stepCount
            for fault in world.faults {
                Issue.record(
                    "\(fault), by seed \(seed) after: \(world.trail.suffix(12).joined(separator: "; "))")
            }
        }
        for goal in Self.goals { #expect(reached[goal] != nil, "\(goal): \(reached.keys.sorted())") }
        print("walks of a chat: \(stepCount) steps, \(reached.count) outcomes")
    }

    /// What a walk that found no fault must have tried.
    private static let goals = [
        "send: done", "sendLost: done", "sendAgain: again", "receive: new", "receive: gap",
        "receive: repeated",
        "receive: closed", "exchange: done", "preview: refused", "renew: drawn", "renew: same",
        "renewNow: drawn",
        "take: done", "take2: olderKey", "takeOther: macInvalid", "putBack: done", "meet: in step",
    ]
}
