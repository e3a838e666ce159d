import CloserKeys

@testable import CloserVault

/// What must hold of every step (closer-keys-answer(1), CHECKS). Whether a step may succeed is worked out from who made what, not from
/// the library.
struct RevealRules {
    let vaults: RevealVaults
    /// Whether people said which key is whose, so that the server cannot give its own.
    let isVerified: Bool

    var papers: RevealPapers { vaults.papers }

    func faults(of step: RevealStep, _ seat: Seat, _ outcome: RevealOutcome, in state: RevealState)
        -> [String]
    {
        let (before, after) = (vaults.view(state.vault(seat)), vaults.view(outcome.vault))
        let memory = state.memory(seat)
        let faults = lost(step, before, after, memory) + noted(step, before, after, outcome)
        let objection = objection(to: step, seat, before, memory)
        if let error = outcome.error {
            return faults + refused(error, isRight: objection == nil, before, after)
        }
        guard objection == nil else { return faults + [objection].compactMap(\.self) }
        return faults + succeeded(step, seat, outcome.output, before, after, memory)
    }

    // MARK: - What never changes

    /// What was committed to, pinned, released or noted stays.
    private func lost(
        _ step: RevealStep, _ before: RevealView, _ after: RevealView, _ memory: RevealState.Memory
    ) -> [String] {
        if before.partnerKey.map({ $0 != after.partnerKey }) ?? false, !step.isCompare {
            return ["another partner's key"]
        }
        guard let was = before.answer else { return [] }
        guard let now = after.answer else { return ["an answer is gone"] }
        var faults: [String] = []
        if let bound = memory.bound, now.commitment != bound { faults.append("a bound answer is replaced") }
        if let pinned = memory.pinned, now.pin != pinned { faults.append("another commitment is pinned") }
        if let release = was.release, step != .forget, !(now.release?.keeps(release) ?? false) {
            faults.append("another release is stored")
        }
        if was.isRevealed && !now.isRevealed { faults.append("revealed no more") }
        if was.isInConflict && !now.isInConflict { faults.append("a conflict is forgotten") }
        if was.isArchived && !now.isArchived { faults.append("archived no more") }
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
        switch step {
        case .release(let theirs, _):
            let theirs = papers.answers[theirs]
            let isSame = theirs.commitment == pin && theirs.token == before.answer?.release?.token
            return isSame ? ["a conflict of the same"] : []
        case .reveal(let reveal) where papers.answers[reveal.theirs].commitment != pin: return []
        default: return ["a conflict with the pinned"]
        }
    }

    // MARK: - What comes of a step

    private func succeeded(
        _ step: RevealStep, _ seat: Seat, _ output: RevealOutput?, _ before: RevealView, _ after: RevealView,
        _ memory: RevealState.Memory
    ) -> [String] {
        switch (step, output) {
        case (.seal(let content, _), .answer(let answer)):
            let isThat = papers.answers[answer].content.text == RevealPapers.text(content)
            return isThat && after.answer?.commitment == papers.answers[answer].commitment
                ? [] : ["another answer is sealed"]
        case (.document, .answer(let answer)):
            return before.answer?.commitment == papers.answers[answer].commitment ? [] : ["another document"]
        case (.release(let theirs, let owner), .box(let box)):
            return released(papers.answers[theirs], papers.boxes[box], seat, after)
                + (memory.boxes[owner].map { papers.boxes[$0].name != papers.boxes[box].name } ?? false
                    ? ["a second release differs"] : [])
        case (.reveal(let reveal), .shown(let shown)):
            return self.shown(shown, reveal, before, after, memory)
        case (.forget, nil):
            let isLeft = after.answer.map { $0.token != nil || $0.oneTimeKey != nil || $0.release != nil }
            return (isLeft ?? true ? ["a key is left"] : [])
                + (after.answer?.pin == memory.pinned ? [] : ["the pin is forgotten, too"])
        case (.compare, nil):
            return after.partnerKey == vaults.publicKey(of: seat.other) ? [] : ["compared, and not used"]
        case (.rekey, nil): return after.isPrivate ? [] : ["rekeyed, and not private"]
        default: return ["another output"]
        }
    }

    private func released(_ theirs: RevealAnswer, _ box: RevealBox, _ seat: Seat, _ after: RevealView)
        -> [String]
    {
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
        _ shown: RevealOutput.Shown, _ reveal: RevealStep.Reveal, _ before: RevealView, _ after: RevealView,
        _ memory: RevealState.Memory
    ) -> [String] {
        let theirs = papers.answers[reveal.theirs]
        var faults: [String] = []
        if shown.hash != theirs.commitment || shown.text != theirs.content.text {
            faults.append("other content is shown")
        }
        if memory.pinned.map({ $0 != shown.hash }) ?? false {
            faults.append("what is shown is not what was pinned")
        }
        if after.answer?.pin != shown.hash || after.answer?.isRevealed != true {
            faults.append("shown, and not pinned")
        }
        if shown.authenticity != expected(theirs, before) {
            faults.append("called \(shown.authenticity.rawValue)")
        }
        if theirs.author == nil && shown.authenticity == .authenticated {
            faults.append("a forgery is authenticated")
        }
        if (theirs.content.macKey != nil) && !after.partnerProves {
            faults.append("a proof is not remembered")
        }
        return faults + kept(shown, reveal, before, after)
    }

    /// What a reveal leaves: our commitment, and an archive if one was asked for.
    private func kept(
        _ shown: RevealOutput.Shown, _ reveal: RevealStep.Reveal, _ before: RevealView, _ after: RevealView
    ) -> [String] {
        let ours = commitment(reveal.own.map { papers.answers[$0] }, before)
        let archived = reveal.archiving == nil ? nil : [ours, shown.hash].compactMap(\.self)
        let isArchived = before.answer?.isArchived == true || reveal.archiving != nil
        var faults: [String] = []
        if after.answer?.commitment != ours { faults.append("shown, and our answer is not bound") }
        if shown.archived != archived { faults.append("another archive") }
        if after.answer?.isArchived != isArchived { faults.append("an archive is not remembered") }
        return faults
    }

    private func expected(_ theirs: RevealAnswer, _ view: RevealView) -> Authenticity {
        guard let macKey = theirs.content.macKey else { return .unauthenticated }
        return view.isPrivate(key: macKey) ? .authenticated : .serverForgeable
    }

    /// A refusal changes nothing but the note of a conflict, and nothing right is refused.
    private func refused(_ error: VaultError, isRight: Bool, _ before: RevealView, _ after: RevealView)
        -> [String]
    {
        switch error {
        case .answer, .payload, .keybox, .keyset, .reveal, .verification: break
        default: return ["unexpected: \(error)"]
        }
        if isRight { return ["refused though it is right: \(error)"] }
        return before == after || error == .reveal(.pinMismatch) && before.hasChangedOnlyNote(to: after)
            ? [] : ["a refusal that changed something: \(error)"]
    }
}

extension RevealStep {
    fileprivate var isCompare: Bool { if case .compare = self { true } else { false } }
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
