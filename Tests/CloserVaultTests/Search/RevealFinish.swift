import CloserKeys

@testable import CloserVault

/// What must still be possible in every state: once the server delivers what is genuine, both finish, or see why they cannot.
struct RevealFinish {
    let vaults: RevealVaults
    let rules: RevealRules

    private var papers: RevealPapers { vaults.papers }

    func outcome(from state: RevealState) throws -> (isFinished: Bool, faults: [String]) {
        var state = state
        if state.vaults.contains(where: { vaults.view($0).isPrivate }) { try rekey(&state) }
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

    /// Seals, if this person has not, and prints the document once more. That fails for an answer whose text is not kept any more: if
    /// it was never printed either, the partner must have pinned something else.
    private func seal(_ seat: Seat, in state: inout RevealState) throws {
        if vaults.view(state.vault(seat)).answer == nil {
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

    private func current(_ seat: Seat, in state: RevealState) -> Int? {
        vaults.view(state.vault(seat)).answer.flatMap { papers.genuine($0.commitment) }
    }

    /// Whether nothing but the partner's answer of now and the partner's key was pinned, and the answer still proves enough.
    private func isClean(_ seat: Seat, in state: RevealState) -> Bool {
        let view = vaults.view(state.vault(seat))
        guard let theirs = current(seat.other, in: state).map({ papers.answers[$0] }) else { return false }
        return view.partnerKey.map { $0 == vaults.publicKey(of: seat.other) } ?? true
            && view.answer?.pin.map { $0 == theirs.commitment } ?? true
            && view.answer?.release.map { $0.token == theirs.token } ?? true
            && isProvenEnough(theirs, view, state.memory(seat))
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
        let step = RevealStep.reveal(theirs, with: box, allowing: false)
        state = state.after(step, seat, try vaults.take(step, in: state.vault(seat)), vaults)
    }

    private func isFinished(_ seat: Seat, in state: RevealState) -> Bool {
        let view = vaults.view(state.vault(seat))
        let theirs = printed(seat.other, in: state).map { papers.answers[$0].commitment }
        return view.answer?.isRevealed == true && view.answer?.release != nil
            && state.memory(seat).shown == theirs
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
