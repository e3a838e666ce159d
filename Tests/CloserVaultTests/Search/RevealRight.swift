import CloserKeys

@testable import CloserVault

// What may succeed, worked out from who made what (closer-keys-answer(1), CHECKS).

extension RevealRules {
    /// Why a step must be refused; nil if it must succeed.
    func objection(
        to step: RevealStep, _ seat: Seat, _ view: RevealView, _ memory: RevealState.Memory
    ) -> String? {
        switch step {
        case .seal(_, let replacing):
            guard memory.bound == nil else {
                return memory.isBrought ? "sealed beside our own document" : "sealed anew, though bound"
            }
            return view.answer == nil || replacing ? nil : "replaced, though nobody wanted it"
        case .document: return view.answer?.token == nil ? "printed without a text" : nil
        case .release(let theirs, let owner):
            return objection(toRelease: papers.answers[theirs], owner, seat, view, memory)
        case .reveal(let reveal): return objection(toReveal: reveal, seat, view, memory)
        case .forget:
            return memory.isArchived && !memory.isForgotten ? nil : "forgotten, and in no archive"
        case .compare(let owner):
            return owner == .partner ? nil : "another key than the partner's is verified"
        case .rekey: return nil
        }
    }

    // MARK: - Release

    private func objection(
        toRelease theirs: RevealAnswer, _ owner: RevealStep.KeyOwner, _ seat: Seat, _ view: RevealView,
        _ memory: RevealState.Memory
    ) -> String? {
        guard let own = view.answer else { return "released without an answer" }
        guard !memory.isBrought, !memory.isForgotten else { return "released without a key" }
        guard theirs.label == seat.other, theirs.commitment != own.commitment else {
            return "released for an answer of our own"
        }
        guard memory.pinned ?? theirs.commitment == theirs.commitment else {
            return "released for another answer than the pinned one"
        }
        guard memory.token ?? theirs.token == theirs.token else {
            return "released for another text than the first"
        }
        guard memory.boxes[owner] == nil else { return nil }
        return isKey(of: owner, usedBy: seat, view, memory) ? nil : "released to a key that is not verified"
    }

    /// Whether a release may go to this key, if none has gone to it yet. The first key counts until people compare another one.
    private func isKey(
        of owner: RevealStep.KeyOwner, usedBy seat: Seat, _ view: RevealView, _ memory: RevealState.Memory
    ) -> Bool {
        guard !isVerified else { return owner == verified(by: seat, memory) }
        let key = vaults.publicKey(of: owner, for: seat)
        return owner != .own && memory.boxes.isEmpty && view.partnerKey ?? key == key
    }

    private func verified(by seat: Seat, _ memory: RevealState.Memory) -> RevealStep.KeyOwner {
        vaults.isLost && seat == .bob && !memory.hasCompared ? .former : .partner
    }

    // MARK: - Reveal

    private func objection(
        toReveal reveal: RevealStep.Reveal, _ seat: Seat, _ view: RevealView, _ memory: RevealState.Memory
    ) -> String? {
        let own = reveal.own.map { papers.answers[$0] }
        guard own != nil || view.answer != nil else { return "shown without an answer of ours" }
        guard own?.isOfQuestion ?? true else { return "shown for our answer to another question" }
        guard own?.label ?? seat == seat else { return "shown for the partner's own answer" }
        guard let ours = commitment(own, view), own?.commitment ?? ours == ours else {
            return "shown for another answer as ours"
        }
        guard isRevealable(reveal, beside: ours, seat, view, memory) else { return "shown against the rules" }
        return reveal.archiving == nil ? nil : objection(toArchive: reveal, own, view, memory)
    }

    /// What we committed to, as the vault has it, or else as our own document says.
    func commitment(_ own: RevealAnswer?, _ view: RevealView) -> Int? {
        view.answer?.commitment ?? own?.commitment
    }

    private func isRevealable(
        _ reveal: RevealStep.Reveal, beside ours: Int, _ seat: Seat, _ view: RevealView,
        _ memory: RevealState.Memory
    ) -> Bool {
        let (theirs, box) = (papers.answers[reveal.theirs], papers.boxes[reveal.box])
        let content = theirs.content
        guard theirs.label == seat.other, theirs.commitment != ours,
            box.label == seat.other, box.document.recipientID.text == seat.user, box.sender == seat.other,
            box.recipient == seat, box.sealedTo == vaults.publicKey(of: seat),
            box.oneTimeKey == content.oneTimeKey, content.sealedAs == seat.other,
            content.commitment == theirs.commitment, memory.pinned ?? theirs.commitment == theirs.commitment
        else { return false }
        guard let macKey = content.macKey else { return reveal.allowing && !view.mustProve }
        guard content.isOfPlace, view.keys.contains(macKey) else { return false }
        // A phone that came too late to see how it was proven.
        let isLate = view.answer == nil || memory.isBrought
        return view.isPrivate(key: macKey) || isForgeableTaken(theirs, view, memory)
            || reveal.allowing && isLate
    }

    /// What the server could have written is shown as long as it could write everything, or if it was pinned by then, or while the key
    /// of its proof was private.
    func isForgeableTaken(_ theirs: RevealAnswer, _ view: RevealView, _ memory: RevealState.Memory) -> Bool {
        guard view.isPrivate else { return true }
        let isProven = theirs.content.macKey.map(memory.provingKeys.contains) ?? false
        return memory.pinned == theirs.commitment && (memory.provingKeys.isEmpty || isProven)
    }

    // MARK: - Archive

    private func objection(
        toArchive reveal: RevealStep.Reveal, _ own: RevealAnswer?, _ view: RevealView,
        _ memory: RevealState.Memory
    ) -> String? {
        guard !memory.boxes.isEmpty else { return "archived before our release" }
        guard !memory.isForgotten else { return "archived without a key" }
        let isPrivate = [.paired, .rekeyed].contains(view.seat.couple?.state)
        guard reveal.archiving == .always || isPrivate else { return "archived for the server" }
        guard view.answer?.token == nil, let ours = view.answer.flatMap({ papers.genuine($0.commitment) })
        else { return nil }
        return own?.token == papers.answers[ours].token ? nil : "archived without our text"
    }
}
