import CloserKeys

@testable import CloserVault

/// Two vaults, what the server has, what is left of what may still go wrong, and what the two remember of what they did.
struct RevealState {
    var vaults: [Int]
    /// The genuine documents that came out, by author, in the order in which they came.
    var answers: [[Int]] = [[], []]
    var boxes: [[Int]] = [[], []]
    var crashes: Int
    var replaces: [Int]
    var mayRekey: [Bool]
    var seats = [Memory(), Memory()]
    /// How many steps led here.
    var depth = 0

    /// What must not change any more: kept beside the vault, from what came out of it.
    struct Memory {
        /// Our commitment, once it was released or theirs was revealed.
        var bound: Int?
        /// Theirs, as it was first released against or revealed.
        var pinned: Int?
        /// Whether the couple was private when it was pinned.
        var pinnedWhilePrivate = false
        /// The first release.
        var box: Int?
        /// What we were shown.
        var shown: Int?
    }

    func vault(_ seat: Seat) -> Int { vaults[seat.rawValue] }
    func memory(_ seat: Seat) -> Memory { seats[seat.rawValue] }

    /// After a step: the vault that came of it, and what is remembered of it.
    func after(_ step: RevealStep, _ seat: Seat, _ outcome: RevealOutcome, _ vaults: RevealVaults)
        -> RevealState
    {
        var next = self
        next.depth += 1
        next.vaults[seat.rawValue] = outcome.vault
        next.remember(step, seat, outcome, vaults)
        if case .seal(_, replacing: true) = step, outcome.output != nil { next.replaces[seat.rawValue] -= 1 }
        if step == .rekey { next.mayRekey[seat.rawValue] = false }
        return next
    }

    private mutating func remember(
        _ step: RevealStep, _ seat: Seat, _ outcome: RevealOutcome, _ vaults: RevealVaults
    ) {
        guard let output = outcome.output else { return }
        var memory = seats[seat.rawValue]
        switch (step, output) {
        case (.release(let theirs, _), .box(let box)):
            memory.box = memory.box ?? box
            memory.pin(vaults.papers.answers[theirs].commitment, vaults.view(vault(seat)))
        case (.reveal, .shown(let hash, _, _)):
            memory.shown = memory.shown ?? hash
            memory.pin(hash, vaults.view(vault(seat)))
        default: return
        }
        seats[seat.rawValue] = memory
    }

    /// What is told apart: all but the random bytes.
    func canonical(_ vaults: RevealVaults) -> [Int] {
        var list = [crashes] + replaces + mayRekey.map { $0 ? 1 : 0 }
        for seat in Seat.allCases {
            list.append(-1)
            vaults.view(vault(seat)).append(to: &list)
            list.append(vaults.content(of: vault(seat)))
            let memory = memory(seat)
            list += [
                memory.bound, memory.pinned, memory.box.map { vaults.papers.boxes[$0].name }, memory.shown,
            ].map {
                $0 ?? -2
            }
            list.append(memory.pinnedWhilePrivate ? 1 : 0)
        }
        for answer in answers.flatMap({ $0 + [-1] }) {
            list +=
                answer < 0
                ? [-3] : [vaults.papers.answers[answer].token, vaults.papers.answers[answer].commitment]
        }
        for box in boxes.flatMap({ $0 + [-1] }) { list.append(box < 0 ? -4 : vaults.papers.boxes[box].name) }
        return SearchNames.canonical(list)
    }
}

extension RevealState.Memory {
    fileprivate mutating func pin(_ commitment: Int, _ view: RevealView) {
        bound = bound ?? view.answer?.commitment
        guard pinned == nil else { return }
        (pinned, pinnedWhilePrivate) = (commitment, view.isPrivate)
    }
}
