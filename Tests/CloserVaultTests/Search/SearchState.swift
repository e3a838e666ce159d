import CloserKeys

@testable import CloserVault

/// Two vaults, what the server has, and what is left of what may still go wrong.
struct SearchState {
    var vaults: [Int]
    /// The genuine documents that came out, by ``Sort`` and author, each list in the order in which they were made.
    var papers: [[Int]] = Array(repeating: [], count: 6)
    /// The invites that got a verdict, as often as they got one.
    var verdicts: [Int] = []
    var isLate = false
    var crashes: Int
    var forgets: Int
    var restores: Int
    var retires: Int
    /// What a vault was when a copy was made of it.
    var saved: [Int?] = [nil, nil]
    /// How many codes of the other one a person must not type any more, since their vault is an older one.
    var stale = [0, 0]
    /// Whether the server opened something.
    var isLost = false
    /// How many steps led here.
    var depth = 0

    enum Sort: Int {
        case offer
        case reply
        case grant
    }

    static func index(_ sort: Sort, _ author: Seat) -> Int { 2 * sort.rawValue + author.rawValue }
    func papers(_ sort: Sort, of author: Seat) -> [Int] { papers[Self.index(sort, author)] }
}

extension SearchState {
    /// What is told apart: all but the random bytes. Verdicts and papers are told by what the vaults and the other papers hold.
    func canonical(_ vaults: SearchVaults) -> [Int] {
        var list = [isLate ? 1 : 0, crashes, forgets, restores, retires, isLost ? 1 : 0] + stale
        for number in self.vaults + saved.map({ $0 ?? -1 }) {
            list.append(-1)
            if number >= 0 { vaults.view(number).append(to: &list) }
        }
        for papers in papers {
            list.append(-2)
            for number in papers {
                let paper = vaults.papers[number]
                list += [paper.name, paper.lookup, paper.transcript ?? 0]
            }
        }
        return SearchNames.canonical(list + [-3] + verdicts)
    }
}

extension SeatView {
    /// Everything in it as numbers.
    func append(to list: inout [Int]) {
        couple?.append(to: &list)
        list += [-4, phrase ?? 0, forgotten?.epoch ?? -1, hasInvite ? 1 : 0]
        list += forgotten?.retired ?? []
        for pairing in pairings { pairing.append(to: &list) }
        for partner in partners {
            list += [-5, partner.user.utf8.count, partner.key ?? 0, partner.verifiedBy == .code ? 1 : 0]
        }
    }
}

extension SeatView.CoupleView {
    fileprivate func append(to list: inout [Int]) {
        list += keys + ids + [-6, primary, epoch, privateSince ?? -1, wrap] + retired + [-8]
        list += origins.map { KeyOrigin.allCases.firstIndex(of: $0) ?? -1 }
    }
}

extension SeatView.PairingView {
    fileprivate func append(to list: inout [Int]) {
        let status = StoredPairing.Status.allCases.firstIndex(of: status) ?? -1
        list += [-7, lookup, isOffer ? 1 : 0, status, isLate ? 1 : 0, offer, transcript ?? 0, grant ?? 0]
    }
}
