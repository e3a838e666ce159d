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
        /// In six steps each is shown the other's answer. Each more takes some three times as long. From every state that is reached, the
        /// genuine documents are delivered to the end, so fewer steps see the whole protocol, too.
        var depth = Self.wanted.flatMap { Int($0) } ?? Effort.count(4, full: 5)
        private static let wanted = ProcessInfo.processInfo.environment["CLOSER_KEYS_REVEAL_DEPTH"]
    }

    let vaults: RevealVaults
    let rules: RevealRules
    private let bounds: Bounds
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

    /// Explores what follows these two vaults, up to the bounds.
    func explore(_ alice: Int, _ bob: Int) throws {
        let start = ContinuousClock.now
        let mayRekey = Array(repeating: bounds.mayRekey, count: 2)
        let first = RevealState(
            vaults: [alice, bob], crashes: bounds.crashes, replaces: bounds.replaces, mayRekey: mayRekey)
        var (queue, seen, next) = ([first], Set([first.canonical(vaults)]), 0)
        trail = [(0, "start")]
        while next < queue.count, violations.isEmpty {
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
    }

    private func report(_ fault: String, _ number: Int) {
        guard violations[fault] == nil else { return }
        var (steps, at) = ([String](), number)
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

    private func steps(of seat: Seat, in state: RevealState) throws -> [RevealStep] {
        let view = vaults.view(state.vault(seat))
        var steps: [RevealStep] = [0, 1].map { .seal($0, replacing: false) }
        if state.replaces[seat.rawValue] > 0 { steps += [0, 1].map { .seal($0, replacing: true) } }
        if view.answer != nil { steps.append(.document) }
        if state.mayRekey[seat.rawValue] { steps.append(.rekey) }
        let offered = try offered(to: seat, in: state)
        let (releases, reveals) = (releases(offered.answers), reveals(offered))
        guard view.answer != nil else { return steps + releases.prefix(1) + reveals.prefix(1) }
        return steps + releases + reveals
    }

    /// What the server can show to this person: what is genuine, what it forges, what it joins, and what is their own.
    private func offered(to seat: Seat, in state: RevealState) throws -> (answers: [Int], boxes: [Int]) {
        let (genuine, own) = (state.answers[seat.other.rawValue], state.answers[seat.rawValue])
        let (forged, server) = (try vaults.server.forged(for: seat), vaults.server)
        let swapped = try genuine.flatMap { try server.swapped($0, for: seat) }
        let reflected = try own.map { try server.reflected($0, for: seat) }
        let theirs = state.boxes[seat.other.rawValue]
        let back = try state.boxes[seat.rawValue].map { try server.reflected(box: $0, for: seat) }
        return (
            genuine + forged.answers + swapped + own + reflected,
            theirs + forged.boxes + back + (try theirs.compactMap { try server.passedOn($0) })
        )
    }

    private func releases(_ answers: [Int]) -> [RevealStep] {
        answers.map { .release(facing: $0, to: .partner) }
            + answers.prefix(2).flatMap { answer in
                [RevealStep.KeyOwner.server, .own].map { .release(facing: answer, to: $0) }
            }
    }

    /// Each answer with each release that fits it, and the first with one that does not. Only what bears no proof may be shown without.
    private func reveals(_ offered: (answers: [Int], boxes: [Int])) -> [RevealStep] {
        let papers = vaults.papers
        return offered.answers.flatMap { answer in
            let content = papers.answers[answer].content
            let fitting = offered.boxes.filter { papers.boxes[$0].oneTimeKey == content.oneTimeKey }
            let others = offered.boxes.filter { papers.boxes[$0].oneTimeKey != content.oneTimeKey }
            return (fitting + (answer == offered.answers.first ? others : Array(others.prefix(1)))).flatMap {
                box in
                (content.macKey == nil ? [false, true] : [false]).map {
                    RevealStep.reveal(answer, with: box, allowing: $0)
                }
            }
        }
    }

    /// A step, and the same with a crash between the change and the output.
    private func take(
        _ step: RevealStep, _ seat: Seat, _ state: RevealState, _ number: Int
    ) throws -> [(String, RevealState)] {
        func words() -> String { "\(seat) \(step.words(vaults.papers))" }
        let outcome = try vaults.take(step, in: state.vault(seat))
        transitionCount += 1
        for fault in rules.faults(of: step, seat, outcome, in: state) {
            report("\(words()): \(fault)", number)
        }
        let crashed = state.after(step, seat, outcome, vaults)
        guard let next = crashed.publishing(outcome.output, by: seat) else {
            return outcome.vault == state.vault(seat) ? [] : [(words(), crashed)]
        }
        var lost = crashed
        lost.crashes -= 1
        return [(words(), next)] + (lost.crashes >= 0 ? [("\(words()), and crashes", lost)] : [])
    }
}

extension RevealState {
    /// With what came out on the server; nil if the server has it, or if it is not for the server.
    fileprivate func publishing(_ output: RevealOutput?, by seat: Seat) -> RevealState? {
        var next = self
        switch output {
        case .answer(let answer) where !answers[seat.rawValue].contains(answer):
            next.answers[seat.rawValue].append(answer)
        case .box(let box) where !boxes[seat.rawValue].contains(box): next.boxes[seat.rawValue].append(box)
        default: return nil
        }
        return next
    }
}

extension RevealStep {
    func words(_ papers: RevealPapers) -> String {
        switch self {
        case .seal(let content, let replacing): "\(replacing ? "replaces by" : "seals") answer \(content)"
        case .document: "prints the answer again"
        case .release(let theirs, let owner):
            "releases to the key of \(owner.rawValue) (\(papers.answers[theirs].trick ?? "genuine"))"
        case .reveal(let theirs, let box, let allowing):
            "reveals\(allowing ? ", proven or not" : "") (\(papers.answers[theirs].trick ?? "genuine"), "
                + "with \(papers.boxes[box].trick ?? "a genuine release"))"
        case .rekey: "is rekeyed"
        }
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
