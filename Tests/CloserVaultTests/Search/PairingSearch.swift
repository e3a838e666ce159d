import CloserKeys
import Foundation
import TestSupport

@testable import CloserVault

/// Takes every step that two people and a server can take, from every state that is reached, those that take the fewest steps first.
final class PairingSearch {
    /// What there may be of each.
    struct Bounds {
        var invites = [2, 1]
        var crashes = 1
        var forgets = 1
        var restores = 1
        var retires = 0
        /// Four steps pair two people. Each more takes some five times as long.
        var depth = Self.wanted.flatMap { Int($0) } ?? 4
        private static let wanted = ProcessInfo.processInfo.environment["CLOSER_KEYS_SEARCH_DEPTH"]
        var states = 60_000

        /// Of which everything can be seen that becomes of it.
        static let oneInvite = Bounds(invites: [1, 0], crashes: 0, forgets: 0, restores: 0, depth: 40)
    }

    let vaults: SearchVaults
    let rules: SearchRules
    private let bounds: Bounds
    private(set) var stateCount = 0
    private(set) var transitionCount = 0
    private(set) var depth = 0
    private var seconds = Duration.zero
    /// The steps that led to what must not be.
    private(set) var violations: [String: [String]] = [:]
    /// How often each status was reached, and how often both were paired.
    private(set) var reached: [String: Int] = [:]
    private var current = 0
    private var trail: [(from: Int, step: String)] = []

    init(_ vaults: SearchVaults, _ rules: SearchRules, _ bounds: Bounds) {
        (self.vaults, self.rules, self.bounds) = (vaults, rules, bounds)
    }

    /// Explores what follows these two vaults, up to the bounds.
    func explore(_ alice: Int, _ bob: Int) throws {
        let start = ContinuousClock.now
        let first = SearchState(
            vaults: [alice, bob], crashes: bounds.crashes, forgets: bounds.forgets, restores: bounds.restores,
            retires: bounds.retires)
        var (queue, seen, next) = ([first], Set([first.canonical(vaults)]), 0)
        trail = [(0, "start")]
        while next < queue.count, violations.isEmpty {
            let state = queue[next]
            current = next
            if state.depth < bounds.depth, queue.count < bounds.states {
                for (step, following) in try followers(of: state) {
                    transitionCount += 1
                    guard seen.insert(following.canonical(vaults)).inserted else { continue }
                    queue.append(following)
                    trail.append((next, step))
                    note(following, number: queue.count - 1)
                }
            }
            next += 1
        }
        (stateCount, depth) = (queue.count, queue.last?.depth ?? 0)
        seconds = ContinuousClock.now - start
    }

    private func note(_ state: SearchState, number: Int) {
        for fault in rules.faults(in: state, vaults) { report(fault, number) }
        for vault in state.vaults {
            for pairing in vaults.view(vault).pairings { reached[pairing.status.rawValue, default: 0] += 1 }
        }
        let states = state.vaults.map { vaults.view($0).couple?.state }
        if states == [.paired, .paired] { reached["both paired", default: 0] += 1 }
    }

    private func report(_ fault: String, _ number: Int) {
        guard violations[fault] == nil else { return }
        var (steps, at) = ([String](), number)
        while at > 0 { (steps, at) = ([trail[at].step] + steps, trail[at].from) }
        violations[fault] = steps
    }

    // MARK: - What can follow

    private func followers(of state: SearchState) throws -> [(String, SearchState)] {
        var all: [(String, SearchState)] = []
        for seat in Seat.allCases {
            for step in steps(of: seat, in: state) { try all += take(step, seat, state) }
            if state.restores > 0, state.saved[seat.rawValue] == nil, isWorthSaving(state, seat) {
                var saved = state
                saved.saved[seat.rawValue] = state.vaults[seat.rawValue]
                saved.depth += 1
                all.append(("\(seat) is copied", saved))
            }
        }
        if !state.isLate {
            var late = state
            late.isLate = true
            late.depth += 1
            all.append(("time passes", late))
        }
        return all
    }

    /// A copy of a vault without anything open is no different from none.
    private func isWorthSaving(_ state: SearchState, _ seat: Seat) -> Bool {
        vaults.view(state.vaults[seat.rawValue]).pairings.contains { $0.status.isLive }
    }

    private func steps(of seat: Seat, in state: SearchState) -> [SearchStep] {
        let view = vaults.view(state.vaults[seat.rawValue])
        var steps: [SearchStep] = []
        let mayInvite = state.papers(.offer, of: seat).count < bounds.invites[seat.rawValue]
        if mayInvite || view.live(.open) != nil { steps.append(.invite) }
        if mayInvite, view.live(.open) != nil { steps.append(.inviteAnew) }
        if view.live(.open) != nil { steps.append(.cancelOffer) }
        if view.live(.waiting) != nil { steps.append(.cancelAnswer) }
        if view.couple != nil, state.forgets > 0 { steps.append(.forget) }
        if view.couple?.keys.count ?? 0 > 1, state.retires > 0 { steps.append(.retire) }
        if let saved = state.saved[seat.rawValue], state.restores > 0 {
            steps += [false, true].map { .restore(saved, isImport: $0) }
        }
        return steps + documents(for: seat, in: state)
    }

    /// The server gives everybody everything: the genuine, what it made of it, and what is their own. What is closed anyhow gets one
    /// of its tricks.
    private func documents(for seat: Seat, in state: SearchState) -> [SearchStep] {
        let (papers, view) = (vaults.papers, vaults.view(state.vaults[seat.rawValue]))
        func forged(from paper: Int, while status: StoredPairing.Status?) -> [Int] {
            let all = papers.forged(from: paper)
            return view.status(papers[paper].lookup) == status ? all : Array(all.prefix(1))
        }
        var steps: [SearchStep] = []
        for code in state.papers(.offer, of: seat.other).dropFirst(state.stale[seat.rawValue]) {
            let forged = forged(from: code, while: nil).filter { papers[$0].offer != nil }
            steps += ([code] + forged).map { .accept($0, code: code) }
        }
        for own in state.papers(.offer, of: seat) {
            steps.append(.accept(own, code: own))
            let isOpen = view.status(papers[own].lookup) == .open
            let guesses = papers.forged(from: own).filter { papers[$0].reply != nil }
            steps += guesses.prefix(isOpen ? guesses.count : 1).map { .confirm($0) }
        }
        for reply in state.papers(.reply, of: seat.other) {
            steps += ([reply] + forged(from: reply, while: .open)).map { .confirm($0) }
        }
        for grant in state.papers(.grant, of: seat.other) {
            steps += ([grant] + forged(from: grant, while: .waiting)).map { .finish($0) }
        }
        return steps + state.papers(.reply, of: seat).map { .confirm($0) }
            + state.papers(.grant, of: seat).map { .finish($0) }
    }

    /// A step, and the same with a crash between the change and the output.
    private func take(
        _ step: SearchStep, _ seat: Seat, _ state: SearchState
    ) throws -> [(String, SearchState)] {
        let (index, words) = (seat.rawValue, rules.words(step, seat, vaults.papers))
        let outcome = try vaults.take(step, in: state.vaults[index], isLate: state.isLate)
        var next = state
        next.depth += 1
        next.vaults[index] = outcome.vault
        if case .restore = step {
            next.restores -= 1
            next.stale[index] = state.papers(.offer, of: seat.other).count
        }
        if step == .forget { next.forgets -= 1 }
        if step == .retire { next.retires -= 1 }
        if let verdict = rules.verdict(step, outcome, state, seat, vaults) { next.verdicts.append(verdict) }
        for fault in rules.faults(of: step, seat, outcome, state, vaults) {
            report("\(words): \(fault)", current)
        }
        if let paper = outcome.paper, vaults.papers[paper].isOpened { next.isLost = true }
        guard let paper = outcome.paper, let sort = vaults.papers[paper].sort else { return [(words, next)] }
        var crashed = next
        crashed.crashes -= 1
        let place = SearchState.index(sort, seat)
        if !next.papers[place].contains(paper) { next.papers[place].append(paper) }
        let isWorthCrashing = crashed.crashes >= 0 && !state.papers[place].contains(paper)
        return [(words, next)] + (isWorthCrashing ? [("\(words), and crashes", crashed)] : [])
    }
}

extension SearchPaper {
    fileprivate var sort: SearchState.Sort? {
        switch content {
        case .offer: .offer
        case .reply: .reply
        case .grant: .grant
        }
    }
}

extension PairingSearch: CustomStringConvertible {
    var description: String {
        """
        \(stateCount) states, \(transitionCount) transitions by \(vaults.moveCount) different steps in \(vaults.kept.count) vaults, \
        \(depth) deep, in \(seconds)
        """
    }
}
