import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport

@testable import CloserVault

/// What a step came to: the vault as it is now, and what came out.
struct SearchOutcome {
    let vault: Int
    let paper: Int?
    /// Why the step was refused.
    let error: VaultError?
}

/// Takes steps with real vaults. Each vault that was reached is kept as its bytes, and brought back from them. A step with one vault is
/// taken once, so what is random in it is drawn once.
final class SearchVaults {
    struct Kept {
        let bytes: [UInt8]
        let view: SeatView
    }

    private struct Move: Hashable {
        let vault: Int
        let step: SearchStep
        let isLate: Bool
    }

    let couple: CoupleID
    let names: SearchNames
    let papers: SearchPapers
    /// Whether a partner may come with another key.
    private let mayHaveNewKey: Bool
    private let vaults: MemoryVaults
    private(set) var kept: [Kept] = []
    private var numbers: [SeatView: Int] = [:]
    private var moves: [Move: SearchOutcome] = [:]
    var moveCount: Int { moves.count }

    init(_ scene: PairingScene, _ names: SearchNames, _ papers: SearchPapers, mayHaveNewKey: Bool) {
        (vaults, couple, self.names, self.papers) = (scene.vaults, scene.couple, names, papers)
        self.mayHaveNewKey = mayHaveNewKey
    }

    /// The number of a vault, by all that counts in it.
    func keep(_ vault: Vault, as seat: Seat) throws -> Int {
        let view = try SeatView(of: vault, as: seat, names, of: couple)
        if let number = numbers[view] { return number }
        kept.append(Kept(bytes: try vaults.bytes(vault.name), view: view))
        numbers[view] = kept.count - 1
        return kept.count - 1
    }

    func view(_ vault: Int) -> SeatView { kept[vault].view }

    /// Takes a step, or tells what came of it before.
    func take(_ step: SearchStep, in number: Int, isLate: Bool) throws -> SearchOutcome {
        let move = Move(vault: number, step: step, isLate: isLate)
        if let outcome = moves[move] { return outcome }
        let seat = kept[number].view.seat
        var (vault, paper, error) = (try open(number), Int?.none, VaultError?.none)
        do throws(VaultError) {
            switch step {
            case .restore(let former, let isImport):
                vault = try isImport ? imported(former) : accepted(former, after: vault)
            default:
                vault.setSeams(SearchClock.now(isLate: isLate), SearchStretch.stretched)
                paper = try take(step, in: vault, as: seat)
            }
        } catch let refusal { error = refusal }
        let outcome = SearchOutcome(vault: try keep(vault, as: seat), paper: paper, error: error)
        moves[move] = outcome
        return outcome
    }

    private func open(_ number: Int) throws(VaultError) -> Vault {
        vaults.write(kept[number].bytes, to: "step")
        return try vaults.open("step")
    }

    private func take(_ step: SearchStep, in vault: Vault, as seat: Seat) throws(VaultError) -> Int? {
        switch step {
        case .invite: return try invite(vault, seat, isNew: false)
        case .inviteAnew: return try invite(vault, seat, isNew: true)
        case .cancelOffer: _ = try vault.cancelOffer(of: couple)
        case .accept(let offer, let code): return try accept(offer, code, vault, seat)
        case .cancelAnswer: _ = try vault.cancelAnswer(of: couple)
        case .confirm(let reply): return try confirm(reply, vault, seat)
        case .finish(let grant): try finish(grant, vault)
        case .forget: try vault.forget(couple)
        case .retire: try retire(vault)
        case .restore: preconditionFailure("a vault that is put back is another one")
        }
        return nil
    }
}

// MARK: - The steps, as the program takes them

extension SearchVaults {
    private func invite(_ vault: Vault, _ seat: Seat, isNew: Bool) throws(VaultError) -> Int? {
        if !isNew, let pending = try vault.pendingOffer(of: couple) {
            return papers.add(pending.offer, by: seat, code: pending.code.text)
        }
        let draft = try vault.draftOffer(of: couple, beginningAt: .strict, replacing: isNew)
        try vault.store(draft)
        return papers.add(draft.offer, by: seat, code: draft.code.text)
    }

    private func accept(
        _ offer: Int, _ code: Int, _ vault: Vault, _ seat: Seat
    ) throws(VaultError) -> Int? {
        guard let document = papers[offer].offer, let code = papers[code].code,
            let typed = try? PairingCode(typed: SecretBytes(testOnly: Array(code.utf8)))
        else { return nil }
        let reply = try vault.accept(
            document, code: typed, of: couple,
            consents: .testOnly((.sendingKeys, true), (.newCode, true), (.newPartnerKey, mayHaveNewKey)))
        return papers.add(reply, by: seat, to: offer)
    }

    private func confirm(_ reply: Int, _ vault: Vault, _ seat: Seat) throws(VaultError) -> Int? {
        guard let document = papers[reply].reply else { return nil }
        if let grant = try vault.grant(for: document, of: couple) {
            return papers.add(grant, by: seat, for: reply)
        }
        let draft = try vault.draftConfirmation(
            for: document, of: couple, consents: .testOnly((.newPartnerKey, mayHaveNewKey)))
        return papers.add(try vault.store(draft), by: seat, for: reply)
    }

    private func finish(_ grant: Int, _ vault: Vault) throws(VaultError) {
        guard let document = papers[grant].grant, try !vault.hasTaken(document, of: couple) else { return }
        try vault.store(try vault.openGrant(document, of: couple))
    }

    private func retire(_ vault: Vault) throws(VaultError) {
        let key = try vault.couple(couple).key.keyset
        guard let oldest = key.entries.first(where: { $0.id != key.primaryID }) else { return }
        try vault.retire(oldest.id, of: couple)
    }

    /// What `device accept-older` does with an older file: it becomes the newest.
    private func accepted(_ former: Int, after newest: Vault) throws(VaultError) -> Vault {
        let newest = newest.version
        let vault = try open(former)
        try vault.acceptAsNewest(after: newest)
        return vault
    }

    /// An export is the file of a vault with another key slot.
    private func imported(_ former: Int) throws(VaultError) -> Vault {
        try Vault.create(
            in: vaults.storage(anew: "import"), importing: kept[former].bytes,
            unlocking: .testOnlyKeyFile(1), locking: .testOnlyKeyFile(1))
    }
}
