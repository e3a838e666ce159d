import CloserKeys
import TestSupport

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
        /// The keys that were private when it was pinned.
        var provingKeys: [Int] = []
        /// The token of theirs that the first release was for.
        var token: Int?
        /// What was released first to each key.
        var boxes: [RevealStep.KeyOwner: Int] = [:]
        /// What we were shown.
        var shown: Int?
        /// Whether our commitment came to this phone with our own document.
        var isBrought = false
        var isArchived = false
        var isForgotten = false
        /// Whether the digits of the key that the partner has now were compared.
        var hasCompared = false
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
        next.remember(step, seat, outcome, before: vaults.view(vault(seat)), vaults)
        if case .seal(_, replacing: true) = step, outcome.output != nil { next.replaces[seat.rawValue] -= 1 }
        if step == .rekey { next.mayRekey[seat.rawValue] = false }
        return next
    }

    private mutating func remember(
        _ step: RevealStep, _ seat: Seat, _ outcome: RevealOutcome, before: RevealView,
        _ vaults: RevealVaults
    ) {
        guard outcome.error == nil else { return }
        var memory = seats[seat.rawValue]
        let view = vaults.view(vault(seat))
        switch (step, outcome.output) {
        case (.release(let theirs, let owner), .box(let box)):
            memory.boxes[owner] = memory.boxes[owner] ?? box
            memory.token = memory.token ?? vaults.papers.answers[theirs].token
            memory.pin(vaults.papers.answers[theirs].commitment, view)
        case (.reveal(let reveal), .shown(let shown)):
            memory.shown = memory.shown ?? shown.hash
            memory.isBrought = memory.isBrought || before.answer == nil
            memory.isArchived = memory.isArchived || reveal.archiving != nil
            memory.pin(shown.hash, view)
        case (.forget, nil): memory.isForgotten = true
        case (.compare, nil): memory.hasCompared = true
        default: return
        }
        seats[seat.rawValue] = memory
    }

    /// With what came out on the server; nil if the server has it, or if it is not for the server.
    func publishing(_ output: RevealOutput?, by seat: Seat) -> RevealState? {
        var next = self
        switch output {
        case .answer(let answer) where !answers[seat.rawValue].contains(answer):
            next.answers[seat.rawValue].append(answer)
        case .box(let box) where !boxes[seat.rawValue].contains(box): next.boxes[seat.rawValue].append(box)
        default: return nil
        }
        return next
    }

    /// What is told apart: all but the random bytes.
    func canonical(_ vaults: RevealVaults) -> [Int] {
        var list = [crashes] + replaces + mayRekey.map { $0 ? 1 : 0 }
        for seat in Seat.allCases {
            list.append(-1)
            vaults.view(vault(seat)).append(to: &list)
            list.append(vaults.content(of: vault(seat)))
            memory(seat).append(to: &list, vaults.papers)
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
    fileprivate func append(to list: inout [Int], _ papers: RevealPapers) {
        list += [bound, pinned, token, shown].map { $0 ?? -2 }
        // A release to the server's key looks like one to the partner's: the two are told apart with full effort alone.
        let owners = Effort.isFull ? RevealStep.KeyOwner.allCases : []
        list += owners.map { boxes[$0].map { papers.boxes[$0].name } ?? -2 }
        list += [isBrought, isArchived, isForgotten, hasCompared].map { $0 ? 1 : 0 } + provingKeys
    }

    fileprivate mutating func pin(_ commitment: Int, _ view: RevealView) {
        bound = bound ?? view.answer?.commitment
        guard pinned == nil else { return }
        (pinned, provingKeys) = (commitment, view.keys.filter { view.isPrivate(key: $0) })
    }
}
