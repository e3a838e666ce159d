import CloserKeys

@testable import CloserVault

// What may succeed, worked out from who made what (closer-keys-answer(1), CHECKS).

extension RevealRules {
    func isReleasable(
        _ theirs: RevealAnswer, _ owner: RevealStep.KeyOwner, _ seat: Seat, _ view: RevealView
    ) -> Bool {
        guard let own = view.answer, theirs.label == seat.other, theirs.commitment != own.commitment else {
            return false
        }
        let key = key(of: owner, for: seat)
        guard owner != .own, view.partnerKey ?? key == key, own.pin ?? theirs.commitment == theirs.commitment
        else {
            return false
        }
        guard owner == .partner || !isVerified else { return false }
        return own.release.map { $0.keys.contains(key) && $0.token == theirs.token } ?? true
    }

    func isRevealable(
        _ theirs: RevealAnswer, _ box: RevealBox, _ allowing: Bool, _ seat: Seat, _ view: RevealView,
        _ memory: RevealState.Memory
    ) -> Bool {
        let content = theirs.content
        guard let own = view.answer, theirs.label == seat.other, theirs.commitment != own.commitment,
            box.label == seat.other, box.document.recipientID.text == seat.user, box.sender == seat.other,
            box.recipient == seat, box.sealedTo == vaults.publicKey(of: seat),
            box.oneTimeKey == content.oneTimeKey, content.sealedAs == seat.other,
            content.commitment == theirs.commitment, memory.pinned ?? theirs.commitment == theirs.commitment
        else { return false }
        guard let macKey = content.macKey else { return allowing && !view.mustProve }
        guard content.isOfPlace, view.keys.contains(macKey) else { return false }
        return view.isPrivate(key: macKey) || isForgeableTaken(theirs, view, memory)
    }

    /// What the server could have written is shown as long as it could write everything, or if it was pinned by then.
    func isForgeableTaken(_ theirs: RevealAnswer, _ view: RevealView, _ memory: RevealState.Memory) -> Bool {
        !view.isPrivate || memory.pinned == theirs.commitment && !memory.pinnedWhilePrivate
    }

    private func key(of owner: RevealStep.KeyOwner, for seat: Seat) -> Int {
        switch owner {
        case .partner: vaults.publicKey(of: seat.other)
        case .own: vaults.publicKey(of: seat)
        case .server: vaults.papers.names.of(vaults.server.key)
        }
    }
}
