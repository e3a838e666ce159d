import Foundation
import Synchronization
import TestSupport
import Testing

/// `kill -9` while a command changes a vault.
///
/// `CLOSER_KEYS_KILLS` says how many kills there are in all: 5 by default, each of a command that is drawn, and over 300 in
/// `make check`, of every command. `CLOSER_KEYS_KILL_SEED` repeats a run's points, as far as a machine repeats its timing.
///
/// A killed process shows what is lost when a program stops. A machine that stops is another matter: for that, files and
/// folders are synced before a command ends.
@Suite("A command that is killed leaves the old state or the new one", .serialized)
struct KillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["CLOSER_KEYS_KILLS"].flatMap(Int.init) ?? 5
    private static let seed =
        environment["CLOSER_KEYS_KILL_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
    private static let base = Result { try KilledCouple() }
    private static let scenes: [KillScene] = {
        var draws = SeededDraws(seed: seed)
        return kills < KillScene.all.count
            ? Array(KillScene.all.shuffled(using: &draws).prefix(kills)) : KillScene.all
    }()
    /// How many commands were killed at every point drawn for them, and what the kills in a change of the vault found.
    private static let tally = Mutex((scenes: 0, states: [String: Int]()))
    private static let weights = KillScene.all.reduce(0) { $0 + $1.weight }

    @Test(
        "killed at random points",
        .proves("V6: a crash, a full disk or two commands at once leave the old vault or the new one"),
        arguments: scenes)
    func kill(_ scene: KillScene) throws {
        let base = try Self.base.get()
        let wanted = (Self.kills * scene.weight + Self.weights - 1) / Self.weights
        var draws = SeededDraws(seed: Self.seed ^ UInt64(scene.arguments.utf8.count) << 32)
        let duration = try Self.duration(of: scene, base)
        var (kills, states, statesInChange) = (0, [String: Int](), [String: Int]())
        // On a busy machine a command often ends before it is killed.
        for _ in 0..<40 * wanted where kills < wanted {
            let point = KillPoint.random(of: duration, using: &draws)
            let program = try base.copy(without: scene.lock)
            let running = try program.start(scene.arguments(base), input: scene.input(base))
            point.strike(running, locking: program.folder.appending(path: scene.lock))
            let run = try running.wait()
            guard run.exit == 128 + SIGKILL else {
                #expect(run.exit == 0, "\(run.errors)")
                continue
            }
            kills += 1
            let killed = Killed(base: base, program: program, output: run.text)
            try killed.expectNothingIsReadable()
            let state = try scene.check(killed)
            #expect(state != nil, "\(scene.arguments), seed \(Self.seed), killed \(point)")
            states[state ?? "neither", default: 0] += 1
            if point.isInChange { statesInChange[state ?? "neither", default: 0] += 1 }
            try FileManager.default.removeItem(at: program.folder)
        }
        #expect(kills == wanted, "the command ends before it can be killed")
        print("kill -9, \(scene): \(kills) kills, seed \(Self.seed): \(Self.words(states))")
        Self.expectBothSides(after: statesInChange)
    }

    /// Adds a command's kills in a change of the vault. With the last command, and enough kills, some must have come before
    /// the vault was replaced and some after: points that are all on one side of it prove nothing.
    private static func expectBothSides(after states: [String: Int]) {
        let (isLast, all) = tally.withLock { tally in
            tally.scenes += 1
            tally.states.merge(states, uniquingKeysWith: +)
            return (tally.scenes == scenes.count, tally.states)
        }
        guard isLast, kills >= 40 else { return }
        print("kill -9, in the change of a vault: \(words(all))")
        #expect(all["old"] != nil, "every kill came after the vault was replaced")
        #expect(all.keys.contains { $0.hasPrefix("new") }, "every kill came before the vault was replaced")
    }

    private static func words(_ states: [String: Int]) -> String {
        states.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    /// How long the command takes without a kill. It must then leave the new state.
    private static func duration(of scene: KillScene, _ base: KilledCouple) throws -> Double {
        let program = try base.copy(without: scene.lock)
        let start = Date()
        let run = try program.start(scene.arguments(base), input: scene.input(base)).wait()
        let duration = Date().timeIntervalSince(start)
        #expect(run.exit == 0, "\(run.errors)")
        let state = try scene.check(Killed(base: base, program: program, output: run.text))
        #expect(state?.hasPrefix("new") == true)
        try FileManager.default.removeItem(at: program.folder)
        return duration
    }
}
