import CloserKeys
import TestSupport

@testable import CloserVault

// What one person may do next, with what the server hands out.

extension RevealSearch {
    func steps(of seat: Seat, in state: RevealState) throws -> [RevealStep] {
        let (view, memory) = (vaults.view(state.vault(seat)), state.memory(seat))
        var steps: [RevealStep] = (0..<bounds.texts).map { .seal($0, replacing: false) }
        if state.replaces[seat.rawValue] > 0 {
            steps += (0..<bounds.texts).map { .seal($0, replacing: true) }
        } else if memory.bound != nil {
            steps.append(.seal(0, replacing: true))
        }
        if view.answer != nil { steps += bounds.keepsLong ? [.document, .forget] : [.document] }
        if state.mayRekey[seat.rawValue] { steps.append(.rekey) }
        if vaults.isLost, seat == .bob, !memory.hasCompared {
            steps += [.compare(.partner), .compare(.server)]
        }
        let offered = try offered(to: seat, in: state)
        let (releases, reveals) = (releases(offered.answers, seat), reveals(offered))
        let kept = try kept(reveals, seat, in: state)
        guard view.answer != nil else {
            return steps + releases.prefix(1) + (reveals.prefix(1) + kept).map { .reveal($0) }
        }
        return steps + releases + (reveals + kept).map { .reveal($0) }
    }

    /// What the server can show to this person: what is genuine, what it forges, what it joins, and what is their own.
    private func offered(to seat: Seat, in state: RevealState) throws -> (answers: [Int], boxes: [Int]) {
        let (genuine, own) = (state.answers[seat.other.rawValue], state.answers[seat.rawValue])
        let (forged, server) = (try vaults.server.forged(for: seat), vaults.server)
        let swapped = try genuine.flatMap { try server.swapped($0, for: seat) }
        let reflected = try own.map { try server.reflected($0, for: seat) }
        let theirs = state.boxes[seat.other.rawValue]
        let back = try state.boxes[seat.rawValue].map { try server.reflected(box: $0, for: seat) }
        // A couple's later life sees the best forgery and the one without a proof; with full effort, all.
        let some = bounds.keepsLong && !Effort.isFull ? [0, 3] : Array(forged.answers.indices)
        return (
            genuine + some.map { forged.answers[$0] } + swapped + own + reflected,
            theirs + some.map { forged.boxes[$0] } + back
                + (try theirs.compactMap { try server.passedOn($0) })
        )
    }

    private func releases(_ answers: [Int], _ seat: Seat) -> [RevealStep] {
        let others: [RevealStep.KeyOwner] =
            vaults.isLost && seat == .bob ? [.former, .server, .own] : [.server, .own]
        return answers.map { .release(facing: $0, to: .partner) }
            + answers.prefix(2).flatMap { answer in others.map { .release(facing: answer, to: $0) } }
    }

    /// Each answer with each release that fits it, and the first with those that do not; a couple's later life sees one of these. Only
    /// what bears no proof may be shown without.
    private func reveals(_ offered: (answers: [Int], boxes: [Int])) -> [RevealStep.Reveal] {
        let papers = vaults.papers
        return offered.answers.flatMap { answer in
            let content = papers.answers[answer].content
            let fitting = offered.boxes.filter { papers.boxes[$0].oneTimeKey == content.oneTimeKey }
            let others = offered.boxes.filter { papers.boxes[$0].oneTimeKey != content.oneTimeKey }
            let isFirst = answer == offered.answers.first
            let otherCount = bounds.keepsLong ? (isFirst ? 1 : 0) : (isFirst ? others.count : 1)
            return (fitting + others.prefix(otherCount)).flatMap { box in
                (content.macKey == nil ? [false, true] : [false]).map {
                    RevealStep.Reveal(theirs: answer, box: box, allowing: $0)
                }
            }
        }
    }

    // MARK: - What a person brings besides

    /// Reveals with one's own document and with an archive. Each search sees that an archive before the release is refused.
    private func kept(
        _ reveals: [RevealStep.Reveal], _ seat: Seat, in state: RevealState
    ) throws -> [RevealStep.Reveal] {
        let papers = vaults.papers
        let fitting = reveals.filter {
            papers.boxes[$0.box].oneTimeKey == papers.answers[$0.theirs].content.oneTimeKey
        }
        let best = fitting.filter {
            papers.answers[$0.theirs].trick == nil && papers.boxes[$0.box].trick == nil
        }
        guard bounds.keepsLong else {
            return state.memory(seat).boxes.isEmpty ? best.map { $0.archiving(.always) } : []
        }
        guard let own = state.answers[seat.rawValue].first else { return [] }
        let owns = try vaults.server.owns(for: seat, own: own, theirs: best.first?.theirs)
        let isNew = vaults.view(state.vault(seat)).answer == nil
        var kept: [RevealStep.Reveal] = []
        for reveal in isNew ? fitting : best { kept.append(reveal.with(own).allowing(true)) }
        for reveal in best {
            kept.append(reveal.with(own))
            for other in owns { kept.append(reveal.with(other).allowing(isNew)) }
            kept.append(reveal.archiving(.ifPrivate))
            kept.append(reveal.archiving(.always))
            for text in [own] + owns.prefix(2) { kept.append(reveal.with(text).archiving(.always)) }
        }
        return kept
    }
}

extension RevealStep.Reveal {
    fileprivate func allowing(_ allowing: Bool) -> Self { changed { $0.allowing = allowing } }
    fileprivate func with(_ own: Int?) -> Self { changed { $0.own = own } }
    fileprivate func archiving(_ archiving: Vault.Archiving) -> Self { changed { $0.archiving = archiving } }

    private func changed(_ change: (inout Self) -> Void) -> Self {
        var next = self
        change(&next)
        return next
    }
}

// MARK: - In words

extension RevealStep {
    func words(_ papers: RevealPapers) -> String {
        switch self {
        case .seal(let content, let replacing): "\(replacing ? "replaces by" : "seals") answer \(content)"
        case .document: "prints the answer again"
        case .release(let theirs, let owner):
            "releases to the key of \(owner.rawValue) (\(papers.answers[theirs].trick ?? "genuine"))"
        case .reveal(let reveal): reveal.words(papers)
        case .forget: "forgets"
        case .compare(let owner): "compares the digits with the key of \(owner.rawValue)"
        case .rekey: "is rekeyed"
        }
    }
}

extension RevealStep.Reveal {
    fileprivate func words(_ papers: RevealPapers) -> String {
        let own = own.map { ", with our own (\(papers.answers[$0].trick ?? "genuine"))" } ?? ""
        let archive = archiving.map { ", archiving \($0)" } ?? ""
        return "reveals\(allowing ? ", proven or not" : "") (\(papers.answers[theirs].trick ?? "genuine"), "
            + "with \(papers.boxes[box].trick ?? "a genuine release"))\(own)\(archive)"
    }
}
