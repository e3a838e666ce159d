import CloserKeys
import Foundation
import TestSupport

@testable import CloserVault

/// Takes every step that two people and a server can take with the answers to one question, from every state that is reached, those
/// that take the fewest steps first.
final class RevealSearch {
    /// What there may be of each.
    struct Bounds {
        var crashes = 1
        var replaces = [0, 1]
        var mayRekey = false
        /// How many different texts a person may seal.
        var texts = 2
        /// Whether people also make archives, forget what is in one, and bring their own document.
        var keepsLong = false
        /// In six steps each is shown the other's answer. Each more takes some three times as long. From every state that is reached, the
        /// genuine documents are delivered to the end, so fewer steps see the whole protocol, too.
        var depth = Self.wanted ?? Effort.count(4, full: 5)
        static let wanted = ProcessInfo.processInfo.environment["CLOSER_KEYS_REVEAL_DEPTH"]
            .flatMap { Int($0) }
    }

    let vaults: RevealVaults
    let rules: RevealRules
    let bounds: Bounds
    private(set) var stateCount = 0
    private(set) var transitionCount = 0
    private(set) var depth = 0
    private var seconds = Duration.zero
    /// The steps that led to what must not be.
    private(set) var violations: [String: [String]] = [:]
    /// How often each thing was reached that should be reachable.
    private(set) var reached: [String: Int] = [:]
    private var trail: [(from: Int, step: String)] = []

    init(_ vaults: RevealVaults, _ rules: RevealRules, _ bounds: Bounds) {
        (self.vaults, self.rules, self.bounds) = (vaults, rules, bounds)
    }

    /// A state in which these are the vaults, and nothing has happened yet.
    func beginning(_ alice: Int, _ bob: Int) -> RevealState {
        let mayRekey = Array(repeating: bounds.mayRekey, count: 2)
        return RevealState(
            vaults: [alice, bob], crashes: bounds.crashes, replaces: bounds.replaces, mayRekey: mayRekey)
    }

    /// Explores what follows this state, up to the bounds. What follows a step at fault is left out.
    func explore(_ first: RevealState) throws {
        let start = ContinuousClock.now
        var (queue, seen, next) = ([first], Set([first.canonical(vaults)]), 0)
        trail = [(0, "start")]
        while next < queue.count {
            for (step, following) in try followers(of: queue[next], number: next) {
                guard seen.insert(following.canonical(vaults)).inserted else { continue }
                queue.append(following)
                trail.append((next, step))
                try note(following, number: queue.count - 1)
            }
            next += 1
        }
        (stateCount, depth) = (queue.count, queue.last?.depth ?? 0)
        seconds = ContinuousClock.now - start
    }

    private func note(_ state: RevealState, number: Int) throws {
        let finish = try RevealFinish(vaults: vaults, rules: rules).outcome(from: state)
        for fault in finish.faults { report(fault, number) }
        if finish.isFinished { reached["both finish", default: 0] += 1 }
        let views = Seat.allCases.compactMap { vaults.view(state.vault($0)).answer }
        if views.contains(where: \.isInConflict) { reached["conflict", default: 0] += 1 }
        if views.contains(where: \.isRevealed) { reached["revealed", default: 0] += 1 }
        if state.seats.contains(where: \.isBrought) { reached["brought", default: 0] += 1 }
        if state.seats.contains(where: \.isForgotten) { reached["forgotten", default: 0] += 1 }
        if state.seats.contains(where: { $0.boxes.count > 1 }) { reached["released again", default: 0] += 1 }
    }

    private func report(_ fault: String, _ number: Int, _ step: String? = nil) {
        guard violations[fault] == nil else { return }
        var (steps, at) = ([step].compactMap(\.self), number)
        while at > 0 { (steps, at) = ([trail[at].step] + steps, trail[at].from) }
        violations[fault] = steps
    }

    // MARK: - What can follow

    private func followers(of state: RevealState, number: Int) throws -> [(String, RevealState)] {
        guard state.depth < bounds.depth else { return [] }
        return try Seat.allCases.flatMap { seat in
            try steps(of: seat, in: state).flatMap { try take($0, seat, state, number) }
        }
    }

    /// A step, and the same with a crash between the change and the output.
    private func take(
        _ step: RevealStep, _ seat: Seat, _ state: RevealState, _ number: Int
    ) throws -> [(String, RevealState)] {
        func words() -> String { "\(seat) \(step.words(vaults.papers))" }
        let outcome = try vaults.take(step, in: state.vault(seat))
        transitionCount += 1
        let faults = rules.faults(of: step, seat, outcome, in: state)
        for fault in faults { report(fault, number, words()) }
        guard faults.isEmpty else { return [] }
        let crashed = state.after(step, seat, outcome, vaults)
        guard let next = crashed.publishing(outcome.output, by: seat) else {
            return outcome.vault == state.vault(seat) ? [] : [(words(), crashed)]
        }
        var lost = crashed
        lost.crashes -= 1
        return [(words(), next)] + (lost.crashes >= 0 ? [("\(words()), and crashes", lost)] : [])
    }
}

extension RevealSearch: CustomStringConvertible {
    var description: String {
        """
        \(stateCount) states, \(transitionCount) transitions by \(vaults.moveCount) different steps in \(vaults.vaultCount) vaults, \
        \(depth) deep, \(violations.count) faults, in \(seconds)
        """
    }
}
