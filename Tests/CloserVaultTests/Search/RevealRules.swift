import CloserKeys

@testable import CloserVault

/// What must hold of every step (closer-keys-answer(1), CHECKS). Whether a step may succeed is worked out from who made what, not from
/// the library.
struct RevealRules {
    let vaults: RevealVaults
    /// Whether people said which key is whose, so that the server cannot give its own.
    let isVerified: Bool

    private var papers: RevealPapers { vaults.papers }

    func faults(of step: RevealStep, _ seat: Seat, _ outcome: RevealOutcome, in state: RevealState)
        -> [String]
    {
        let (before, after) = (vaults.view(state.vault(seat)), vaults.view(outcome.vault))
        let memory = state.memory(seat)
        var faults = lost(before, after, memory) + noted(step, before, after, outcome)
        if let error = outcome.error {
            faults += refused(step, seat, error, before, after, memory)
        } else {
            faults += succeeded(step, seat, outcome.output, before, after, memory)
        }
        return faults
    }

    // MARK: - What never changes

    /// What was committed to, pinned, released or noted stays.
    private func lost(_ before: RevealView, _ after: RevealView, _ memory: RevealState.Memory) -> [String] {
        guard let was = before.answer else { return [] }
        guard let now = after.answer else { return ["an answer is gone"] }
        var faults: [String] = []
        if let bound = memory.bound, now.commitment != bound { faults.append("a bound answer is replaced") }
        if let pinned = memory.pinned, now.pin != pinned { faults.append("another commitment is pinned") }
        if let release = was.release, !(now.release?.keeps(release) ?? false) {
            faults.append("another release is stored")
        }
        if was.isRevealed && !now.isRevealed { faults.append("revealed no more") }
        if was.isInConflict && !now.isInConflict { faults.append("a conflict is forgotten") }
        if before.partnerKey.map({ $0 != after.partnerKey }) ?? false {
            faults.append("another partner's key")
        }
        if before.partnerProves && !after.partnerProves {
            faults.append("the partner need not prove any more")
        }
        return faults
    }

    /// A conflict is noted only if something other than the pinned answer was shown.
    private func noted(
        _ step: RevealStep, _ before: RevealView, _ after: RevealView, _ outcome: RevealOutcome
    ) -> [String] {
        guard let now = after.answer, now.isInConflict, before.answer?.isInConflict != true else { return [] }
        guard outcome.error == .reveal(.pinMismatch), let pin = before.answer?.pin else {
            return ["a conflict without a reason"]
        }
        if case .release(let theirs, _) = step, papers.answers[theirs].commitment == pin {
            return before.answer?.release?.token == papers.answers[theirs].token
                ? ["a conflict of the same"] : []
        }
        if case .reveal(let theirs, _, _) = step, papers.answers[theirs].commitment != pin { return [] }
        return isRelease(step) ? [] : ["a conflict with the pinned"]
    }

    private func isRelease(_ step: RevealStep) -> Bool { if case .release = step { true } else { false } }

    // MARK: - What succeeds, and what comes of it

    private func succeeded(
        _ step: RevealStep, _ seat: Seat, _ output: RevealOutput?, _ before: RevealView, _ after: RevealView,
        _ memory: RevealState.Memory
    ) -> [String] {
        switch (step, output) {
        case (.seal(let content, _), .answer(let answer)):
            return before.isBound || papers.answers[answer].content.text != RevealPapers.text(content)
                || after.answer?.commitment != papers.answers[answer].commitment
                ? ["another answer is sealed"] : []
        case (.document, .answer(let answer)):
            return before.answer?.commitment == papers.answers[answer].commitment ? [] : ["another document"]
        case (.release(let theirs, let owner), .box(let box)):
            return released(papers.answers[theirs], owner, papers.boxes[box], seat, before, after)
                + (memory.box.map { papers.boxes[$0].name != papers.boxes[box].name } ?? false
                    ? ["a second release differs"] : [])
        case (.reveal(let theirs, let box, let allowing), .shown(let hash, let text, let authenticity)):
            let (answer, box) = (papers.answers[theirs], papers.boxes[box])
            guard isRevealable(answer, box, allowing, seat, before, memory) else {
                return [before.answer == nil ? "shown without an answer of ours" : "shown against the rules"]
            }
            return shown(answer, hash, text, authenticity, before, after, memory)
        case (.rekey, nil): return after.isPrivate ? [] : ["rekeyed, and not private"]
        default: return ["another output"]
        }
    }

    private func released(
        _ theirs: RevealAnswer, _ owner: RevealStep.KeyOwner, _ box: RevealBox, _ seat: Seat,
        _ before: RevealView, _ after: RevealView
    ) -> [String] {
        guard isReleasable(theirs, owner, seat, before) else { return ["released against the rules"] }
        var faults: [String] = []
        let own = after.answer.flatMap { papers.genuine($0.commitment) }.map { papers.answers[$0] }
        if box.oneTimeKey != own?.content.oneTimeKey { faults.append("a release that opens nothing") }
        if box.document.senderID.text != seat.user || box.document.recipientID.text != seat.other.user {
            faults.append("a release under other names")
        }
        if after.answer?.pin != theirs.commitment { faults.append("released, and nothing is pinned") }
        if after.answer?.release?.box(for: box.sealedTo) != box.name {
            faults.append("a release that is not stored")
        }
        return faults
    }

    private func shown(
        _ theirs: RevealAnswer, _ hash: Int, _ text: String, _ authenticity: Authenticity,
        _ before: RevealView,
        _ after: RevealView, _ memory: RevealState.Memory
    ) -> [String] {
        var faults: [String] = []
        if hash != theirs.commitment || text != theirs.content.text {
            faults.append("other content is shown")
        }
        if memory.pinned.map({ $0 != hash }) ?? false {
            faults.append("what is shown is not what was pinned")
        }
        if after.answer?.pin != hash || after.answer?.isRevealed != true {
            faults.append("shown, and not pinned")
        }
        if authenticity != expected(theirs, before) { faults.append("called \(authenticity.rawValue)") }
        if theirs.author == nil && authenticity == .authenticated {
            faults.append("a forgery is authenticated")
        }
        if (theirs.content.macKey != nil) && !after.partnerProves {
            faults.append("a proof is not remembered")
        }
        return faults
    }

    private func expected(_ theirs: RevealAnswer, _ view: RevealView) -> Authenticity {
        guard let macKey = theirs.content.macKey else { return .unauthenticated }
        return view.isPrivate(key: macKey) ? .authenticated : .serverForgeable
    }

    /// A refusal changes nothing but the note of a conflict, and nothing right is refused.
    private func refused(
        _ step: RevealStep, _ seat: Seat, _ error: VaultError, _ before: RevealView, _ after: RevealView,
        _ memory: RevealState.Memory
    ) -> [String] {
        switch error {
        case .answer, .payload, .keybox, .keyset, .reveal: break
        default: return ["unexpected: \(error)"]
        }
        let isRight =
            switch step {
            case .seal(_, let replacing): before.answer == nil || replacing && !before.isBound
            case .document: before.answer?.token != nil
            case .release(let theirs, let owner): isReleasable(papers.answers[theirs], owner, seat, before)
            case .reveal(let theirs, let box, let allowing):
                isRevealable(papers.answers[theirs], papers.boxes[box], allowing, seat, before, memory)
            case .rekey: true
            }
        if isRight { return ["refused though it is right: \(error)"] }
        return before == after || error == .reveal(.pinMismatch) && before.hasChangedOnlyNote(to: after)
            ? [] : ["a refusal that changed something: \(error)"]
    }
}

extension RevealView.ReleaseView {
    /// Whether all that was released before stays.
    fileprivate func keeps(_ before: Self) -> Bool {
        partner == before.partner && token == before.token && boxes.starts(with: before.boxes)
            && keys.starts(with: before.keys)
    }
}

extension RevealView {
    fileprivate func hasChangedOnlyNote(to after: RevealView) -> Bool {
        guard let was = answer, let now = after.answer, seat == after.seat else { return false }
        return was.commitment == now.commitment && was.pin == now.pin && was.release == now.release
            && was.isRevealed == now.isRevealed && was.token == now.token && now.isInConflict
            && partnerProves == after.partnerProves
    }
}
