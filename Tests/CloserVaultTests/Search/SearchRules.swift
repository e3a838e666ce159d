import CloserKeys

@testable import CloserVault

/// What must hold, in every state and of every step.
struct SearchRules {
    /// The keys that the server had before.
    let serverKeys: Set<Int>
    /// Whose device is whose: of each person, the keys that they have or had.
    let tokens: [Set<Int>]
    /// Whether the two have keys that do not fit together: a right reply then ends in `failed`.
    let mayFail: Bool

    // MARK: - In every state

    func faults(in state: SearchState, _ vaults: SearchVaults) -> [String] {
        var faults = state.isLost ? ["a server without the code opened a document"] : []
        for seat in Seat.allCases {
            faults += self.faults(in: vaults.view(state.vaults[seat.rawValue])).map { "\(seat): \($0)" }
        }
        faults += Self.doubled(state, vaults).map { "two \($0) under one code" }
        if Set(state.verdicts).count < state.verdicts.count { faults.append("two verdicts on one invite") }
        return faults + disagreements(state, vaults)
    }

    private func faults(in view: SeatView) -> [String] {
        var faults: [String] = []
        if view.pairings.count(where: { $0.status.isLive }) > 1 { faults.append("two live pairings") }
        if view.pairings.count(where: { $0.status == .granted }) > 1 { faults.append("two grants") }
        guard let couple = view.couple else { return faults }
        if !Set(couple.ids).isDisjoint(with: couple.retired) { faults.append("a retired key is back") }
        let others = zip(couple.keys, couple.origins).filter { $0.0 != couple.primary }
        if couple.state == .paired {
            if others.contains(where: { $0.1 != .exposed }) { faults.append("an older key is not exposed") }
            if view.hasInvite || view.phrase != nil { faults.append("an invite or a phrase is left") }
            if couple.privateSince != couple.epoch, view.last != nil {
                faults.append("private since another epoch")
            }
        }
        if zip(couple.keys, couple.origins).contains(where: {
            $0.0 == couple.primary && $0.1.isPrivate != couple.state.isPrivate
        }) {
            faults.append("\(couple.state) by a key that is not so")
        }
        if couple.state.isPrivate, serverKeys.contains(couple.primary) {
            faults.append("private under a key of the server's")
        }
        let partners = view.partners.filter { $0.verifiedBy == .code }
        if partners.contains(where: {
            $0.user != view.seat.other.user || $0.key.map(tokens[view.seat.other.rawValue].contains) != true
        }) {
            faults.append("paired with somebody else")
        }
        return faults
    }

    /// The sorts of documents of which somebody made two for one code.
    private static func doubled(_ state: SearchState, _ vaults: SearchVaults) -> [String] {
        state.papers.indices.filter { index in
            let lookups = state.papers[index].map { vaults.papers[$0].lookup }
            return Set(lookups).count < lookups.count
        }.map { ["offers", "replies", "grants"][$0 / 2] }
    }

    /// Two who were paired last by the same pairing have the same of it.
    private func disagreements(_ state: SearchState, _ vaults: SearchVaults) -> [String] {
        let views = state.vaults.map { vaults.view($0) }
        for (inviter, acceptor) in [(views[0], views[1]), (views[1], views[0])] {
            guard let done = acceptor.last, done.status == .done else { continue }
            let granted = state.papers(.grant, of: inviter.seat).map { vaults.papers[$0] }
            guard
                granted.contains(where: {
                    $0.name == done.grant && self.transcript($0, vaults) == done.transcript
                })
            else {
                return ["\(acceptor.seat) took what was never granted"]
            }
            guard let last = inviter.last, last.transcript == done.transcript, let ours = inviter.couple,
                let theirs = acceptor.couple, ours.state == .paired, theirs.state == .paired
            else { continue }
            guard last.grant == done.grant, ours.primary == theirs.primary, ours.epoch == theirs.epoch,
                ours.wrap == theirs.wrap, ours.isSame(as: theirs)
            else { return ["the two hold different views of one pairing"] }
        }
        return []
    }

    private func transcript(_ grant: SearchPaper, _ vaults: SearchVaults) -> Int? {
        grant.answers.flatMap { vaults.papers[$0].transcript }
    }
}

extension SeatView.CoupleView {
    /// The same keys, in whatever order, besides those that one of the two gave up.
    fileprivate func isSame(as other: Self) -> Bool {
        let retired = Set(retired + other.retired)
        return keys(besides: retired) == other.keys(besides: retired)
    }

    private func keys(besides retired: Set<Int>) -> Set<Int> {
        Set(zip(keys, ids).filter { !retired.contains($0.1) }.map { $0.0 })
    }
}

// MARK: - Of every step

extension SearchRules {
    /// The invite on which this step gave a verdict.
    func verdict(
        _ step: SearchStep, _ outcome: SearchOutcome, _ state: SearchState, _ seat: Seat,
        _ vaults: SearchVaults
    ) -> Int? {
        guard case .confirm(let reply) = step else { return nil }
        let lookup = vaults.papers[reply].lookup
        let before = vaults.view(state.vaults[seat.rawValue]).status(lookup)
        let isWrong = if case .refused(.codeMismatch, _)? = outcome.error { true } else { false }
        let after = vaults.view(outcome.vault).status(lookup)
        let isVerdict = isWrong || before == .open && [.granted, .burned, .failed].contains(after)
        return isVerdict ? lookup : nil
    }

    func faults(
        of step: SearchStep, _ seat: Seat, _ outcome: SearchOutcome, _ state: SearchState,
        _ vaults: SearchVaults
    ) -> [String] {
        let (before, after) = (vaults.view(state.vaults[seat.rawValue]), vaults.view(outcome.vault))
        if case .restore = step {
            return after.live(.open) == nil ? [] : ["an older vault has an open invite"]
        }
        var faults = Self.lost(step, before, after) + Self.held(step, before, after, vaults)
        if let error = outcome.error { faults += refusal(step, error, before, after, vaults) }
        switch step {
        case .confirm(let reply):
            faults += self.confirmed(vaults.papers[reply], before, after, outcome, state, vaults)
        case .finish(let grant): faults += finished(vaults.papers[grant], before, after, vaults)
        case .accept(let offer, _) where outcome.error == nil: faults += accepted(vaults.papers[offer], seat)
        default: break
        }
        return faults
    }

    /// Nothing that was closed opens, no epoch falls, no key goes but by `retire` and `forget`, and none that was given up returns.
    private static func lost(_ step: SearchStep, _ before: SeatView, _ after: SeatView) -> [String] {
        var faults: [String] = []
        for pairing in before.pairings {
            let now = after.pairings.first { $0.lookup == pairing.lookup }
            let isForgotten =
                step == .forget && now.map { [.cancelled, .givenUp].contains($0.status) } ?? false
            let isOver =
                isForgotten || step.isOfPairing && pairing.status == .granted && now?.status == .cancelled
            let isKept =
                now?.isOffer == pairing.isOffer && (pairing.status.isLive || now == pairing || isOver)
            if !isKept { faults.append("a closed pairing changed") }
        }
        let wasPrivate = before.couple?.state.isPrivate ?? false
        if step.isAccept, wasPrivate, after.live(.waiting) != before.live(.waiting),
            after.pairings.contains(where: { $0.status == .granted })
        {
            faults.append("a grant of keys that went to somebody else is given again")
        }
        if after.epoch < before.epoch { faults.append("the epoch fell") }
        if let ours = before.couple, let now = after.couple, now.primary != ours.primary,
            now.epoch <= ours.epoch
        {
            faults.append("another primary in the same epoch")
        }
        if !Set(before.retired).isSubset(of: after.retired) { faults.append("a retired key is forgotten") }
        let isLoser = step == .forget || step == .retire
        if !isLoser, !Set(before.couple?.keys ?? []).isSubset(of: after.couple?.keys ?? []) {
            faults.append("a key is lost")
        }
        return faults
    }

    /// Whoever brings keys gets a new primary, and nobody takes one that they had.
    private static func held(
        _ step: SearchStep, _ before: SeatView, _ after: SeatView, _ vaults: SearchVaults
    ) -> [String] {
        guard let primary = after.couple?.primary, before.couple?.keys.contains(primary) == true else {
            return []
        }
        switch step {
        case .confirm(let reply):
            let lookup = vaults.papers[reply].lookup
            let isJudged = before.status(lookup) == .open && after.status(lookup) == .granted
            guard isJudged, vaults.papers[reply].reply?.hold.isEmpty == false else { return [] }
            return ["the primary is kept though the acceptor holds keys"]
        case .finish(let grant):
            let lookup = vaults.papers[grant].lookup
            guard before.status(lookup) == .waiting, after.status(lookup) == .done else { return [] }
            return ["a primary is taken that was held"]
        default: return []
        }
    }

    /// A refusal has changed nothing but what it says.
    private func refusal(
        _ step: SearchStep, _ error: VaultError, _ before: SeatView, _ after: SeatView, _ vaults: SearchVaults
    ) -> [String] {
        switch error {
        case .refused(let error, _):
            guard case .confirm(let reply) = step, ![.ownUser, .ownKey, .otherOffer].contains(error) else {
                break
            }
            let expected: StoredPairing.Status = error == .codeMismatch ? .burned : .failed
            return after.status(vaults.papers[reply].lookup) == expected
                ? [] : ["a verdict that is not kept: \(error)"]
        case .pairing(.inviteClosed(.expired)): return []
        case .pairing: break
        default: return ["unexpected: \(error)"]
        }
        return before == after ? [] : ["a refusal that changed something: \(error)"]
    }

    /// A right reply is granted; any other burns the invite, or costs nothing.
    private func confirmed(
        _ reply: SearchPaper, _ before: SeatView, _ after: SeatView, _ outcome: SearchOutcome,
        _ state: SearchState,
        _ vaults: SearchVaults
    ) -> [String] {
        guard before.status(reply.lookup) == .open, after.status(reply.lookup) != .expired else { return [] }
        let offer = before.pairings.first { $0.lookup == reply.lookup }?.offer
        let isRight = reply.trick == nil && reply.answers.map { vaults.papers[$0].name } == offer
        if isRight, reply.author == before.seat.other {
            let expected: [StoredPairing.Status] = mayFail ? [.granted, .failed] : [.granted]
            return expected.contains { $0 == after.status(reply.lookup) }
                ? [] : ["a right reply is refused: \(outcome.error.map { "\($0)" } ?? "")"]
        }
        if after.status(reply.lookup) == .granted { return ["a wrong reply is granted"] }
        let isOwn = reply.trick == "our own name and share in the reply" || reply.author == before.seat
        let isFree = isOwn || outcome.error.map(Self.isOfPeople) ?? false
        let expected: StoredPairing.Status = isFree ? .open : .burned
        return after.status(reply.lookup) == expected
            ? []
            : ["a wrong reply leaves the invite \(after.status(reply.lookup).map { "\($0)" } ?? "nowhere")"]
    }

    /// Whether somebody was refused by their name or key, before the code was looked at.
    private static func isOfPeople(_ error: VaultError) -> Bool {
        [.otherPartner, .partnerKeyChanged].contains { error == .pairing($0) }
    }

    /// The grant of the very pairing is taken, and no other.
    private func finished(
        _ grant: SearchPaper, _ before: SeatView, _ after: SeatView, _ vaults: SearchVaults
    ) -> [String] {
        guard before.status(grant.lookup) == .waiting, let waiting = before.live(.waiting) else { return [] }
        let isRight = grant.trick == nil && transcript(grant, vaults) == waiting.transcript
        let isDone = after.status(grant.lookup) == .done
        return isRight == isDone ? [] : [isDone ? "a wrong grant is taken" : "a right grant is refused"]
    }

    private func accepted(_ offer: SearchPaper, _ seat: Seat) -> [String] {
        guard let inviter = offer.offer?.inviter.user.text, inviter == seat.user else { return [] }
        return ["our own name was answered"]
    }

    func words(_ step: SearchStep, _ seat: Seat, _ papers: SearchPapers) -> String {
        func words(_ paper: Int) -> String { papers[paper].trick ?? "genuine" }
        switch step {
        case .accept(let offer, _): return "\(seat) accepts (\(words(offer)))"
        case .confirm(let reply): return "\(seat) confirms (\(words(reply)))"
        case .finish(let grant): return "\(seat) finishes (\(words(grant)))"
        case .restore(_, let isImport): return "\(seat) \(isImport ? "imports" : "accepts an older vault")"
        default: return "\(seat) \(step)"
        }
    }
}
