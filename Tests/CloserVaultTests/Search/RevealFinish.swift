import CloserKeys

@testable import CloserVault

/// What must still be possible in every state: once the server delivers what is genuine, both finish, or see why they cannot.
struct RevealFinish {
    let vaults: RevealVaults
    let rules: RevealRules

    private var papers: RevealPapers { vaults.papers }

    func outcome(from state: RevealState) throws -> (isFinished: Bool, faults: [String]) {
        var state = state
        if vaults.isLost {
            try compare(in: &state)
        } else if state.vaults.contains(where: { vaults.view($0).isPrivate }) {
            try rekey(&state)
        }
        for seat in Seat.allCases { try seal(seat, in: &state) }
        let hope = Seat.allCases.allSatisfy { isClean($0, in: state) }
        let boxes = try Seat.allCases.map { try release($0, in: &state) }
        for seat in Seat.allCases { try reveal(seat, with: boxes[seat.other.rawValue], in: &state) }
        let faults = Seat.allCases.compactMap { seat -> String? in
            if hope { return isFinished(seat, in: state) ? nil : "\(seat) cannot finish" }
            return shows(seat, in: state, boxes) ? nil : "\(seat) does not see a conflict"
        }
        return (hope && faults.isEmpty, faults)
    }

    private func rekey(_ state: inout RevealState) throws {
        for seat in Seat.allCases where !vaults.view(state.vault(seat)).isPrivate {
            state.vaults[seat.rawValue] = try vaults.take(.rekey, in: state.vault(seat)).vault
        }
    }

    /// Bob verifies the key of the phone that Alice has now.
    private func compare(in state: inout RevealState) throws {
        guard !state.memory(.bob).hasCompared else { return }
        let outcome = try vaults.take(.compare(.partner), in: state.vault(.bob))
        state = state.after(.compare(.partner), .bob, outcome, vaults)
    }

    /// Seals, if this person has not, and prints the document once more. That fails for an answer whose text is not kept any more: if
    /// it was never printed either, the partner must have pinned something else.
    private func seal(_ seat: Seat, in state: inout RevealState) throws {
        if current(seat, in: state) == nil {
            state.vaults[seat.rawValue] = try vaults.take(.seal(0, replacing: false), in: state.vault(seat))
                .vault
        }
        guard case .answer(let answer)? = try vaults.take(.document, in: state.vault(seat)).output else {
            return
        }
        state.answers[seat.rawValue].append(answer)
    }

    /// This person's answer of now, if it was ever printed.
    private func printed(_ seat: Seat, in state: RevealState) -> Int? {
        current(seat, in: state).flatMap { state.answers[seat.rawValue].contains($0) ? $0 : nil }
    }

    /// The answer in this person's vault, or the one that a former phone sealed.
    private func current(_ seat: Seat, in state: RevealState) -> Int? {
        vaults.view(state.vault(seat)).answer.flatMap { papers.genuine($0.commitment) }
            ?? state.answers[seat.rawValue].first
    }

    /// Whether this person has a phone that did not seal the answer.
    private func isLate(_ seat: Seat, in state: RevealState) -> Bool {
        vaults.view(state.vault(seat)).answer == nil || state.memory(seat).isBrought
    }

    /// Whether nothing but the partner's answer of now and the partner's key was pinned, and the answer still proves enough.
    private func isClean(_ seat: Seat, in state: RevealState) -> Bool {
        let view = vaults.view(state.vault(seat))
        guard let theirs = current(seat.other, in: state).map({ papers.answers[$0] }) else { return false }
        return view.partnerKey.map { $0 == vaults.publicKey(of: seat.other) } ?? true
            && view.answer?.pin.map { $0 == theirs.commitment } ?? true
            && view.answer?.release.map { $0.token == theirs.token } ?? true
            && (isLate(seat, in: state) || isProvenEnough(theirs, view, state.memory(seat)))
    }

    private func isProvenEnough(
        _ theirs: RevealAnswer, _ view: RevealView, _ memory: RevealState.Memory
    ) -> Bool {
        theirs.content.macKey.map(view.isPrivate(key:)) ?? false
            || rules.isForgeableTaken(theirs, view, memory)
    }

    private func release(_ seat: Seat, in state: inout RevealState) throws -> Int? {
        guard let theirs = printed(seat.other, in: state) else { return nil }
        let outcome = try vaults.take(.release(facing: theirs, to: .partner), in: state.vault(seat))
        state = state.after(.release(facing: theirs, to: .partner), seat, outcome, vaults)
        guard case .box(let box)? = outcome.output else { return state.boxes[seat.rawValue].last }
        return box
    }

    private func reveal(_ seat: Seat, with box: Int?, in state: inout RevealState) throws {
        guard let theirs = printed(seat.other, in: state), let box else { return }
        let own = vaults.view(state.vault(seat)).answer == nil ? current(seat, in: state) : nil
        let isLate = isLate(seat, in: state)
        let step = RevealStep.reveal(.init(theirs: theirs, box: box, allowing: isLate, own: own))
        state = state.after(step, seat, try vaults.take(step, in: state.vault(seat)), vaults)
    }

    /// Once the partner's device has forgotten both answers, this person has them in the archive.
    private func isFinished(_ seat: Seat, in state: RevealState) -> Bool {
        guard !state.memory(seat.other).isForgotten else { return true }
        let (view, memory) = (vaults.view(state.vault(seat)), state.memory(seat))
        let theirs = printed(seat.other, in: state).map { papers.answers[$0].commitment }
        let isReleased = view.answer?.release != nil || memory.isBrought || memory.isForgotten
        return view.answer?.isRevealed == true && isReleased && memory.shown == theirs
    }

    /// Whether a person sees that another answer was pinned than the partner's. It is not seen where the true one never came with a
    /// proof, and something else was revealed before.
    private func shows(_ seat: Seat, in state: RevealState, _ boxes: [Int?]) -> Bool {
        guard let own = vaults.view(state.vault(seat)).answer, let pin = own.pin,
            let theirs = printed(seat.other, in: state).map({ papers.answers[$0] }), pin != theirs.commitment
        else { return true }
        let box = boxes[seat.other.rawValue].map { papers.boxes[$0] }
        let fits = box.map {
            $0.oneTimeKey == theirs.content.oneTimeKey && $0.sealedTo == vaults.publicKey(of: seat)
        }
        let keeps = vaults.view(state.vault(seat)).partnerKey == vaults.publicKey(of: seat.other)
        return own.isInConflict || own.isRevealed && fits != true || !keeps && fits != true
    }
}
