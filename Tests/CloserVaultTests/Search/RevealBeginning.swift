import CloserKeys
import TestSupport
import Testing

@testable import CloserVault

/// How the two begin.
enum RevealBeginning: String, CaseIterable, CustomTestStringConvertible {
    case shared = "a couple of v1, whose key the server has"
    case paired = "a couple that was paired, and the server has an older key"
    case rekeyed = "a couple of v1 that is rekeyed meanwhile"
    case lost = "a couple with an answer each, and a new phone that has their key by the phrase"
    case replaced = "a couple with an answer each, and a new phone that was paired again"

    var testDescription: String { rawValue }
    var isLost: Bool { self == .lost || self == .replaced }
    private var isPaired: Bool { self == .paired || isLost }

    private var bounds: RevealSearch.Bounds {
        switch self {
        case .shared, .paired: .init()
        case .rekeyed: .init(mayRekey: true)
        case .lost, .replaced:
            .init(
                crashes: Effort.count(0, full: 1), replaces: [0, 0], texts: 1, keepsLong: true,
                depth: RevealSearch.Bounds.wanted ?? Effort.count(3, full: 4))
        }
    }

    /// What a search must reach, or it has seen too little.
    var goals: [String] {
        let late = isLost ? ["brought", "forgotten", "released again"] : []
        return ["revealed", "both finish", "conflict"] + late
    }

    func search(serverHasAll: Bool = false, _ bounds: RevealSearch.Bounds? = nil) throws -> RevealSearch {
        let scene = try PairingScene()
        for vault in [scene.alice, scene.bob] { try vault.plant(scene.couple) }
        if isPaired { try scene.pair(scene.alice, with: scene.bob) }
        let known = try serverHasAll ? scene.alice.couple(scene.couple).key : CoupleKey(Golden.keyset())
        let new = isLost ? try newPhone(in: scene) : scene.alice
        let devices = [try new.device, try scene.bob.device]
        let papers = RevealPapers(SearchNames(), of: try name(in: scene))
        let server = try RevealServer(papers, coupleKey: known, keys: devices.map(\.publicKey))
        let vaults = try RevealVaults(
            scene.vaults, devices, former: isLost ? scene.alice.device : nil, papers, server)
        let rules = RevealRules(vaults: vaults, isVerified: isPaired)
        let search = RevealSearch(vaults, rules, bounds ?? self.bounds)
        let (alice, bob) = (try vaults.keep(scene.alice, as: .alice), try vaults.keep(scene.bob, as: .bob))
        let state = search.beginning(alice, bob)
        try search.explore(isLost ? try lose(state, new, scene, vaults) : state)
        return search
    }

    private func name(in scene: PairingScene) throws -> AnswerName {
        AnswerName(
            couple: scene.couple, question: try QuestionID(parsing: "q_42"),
            place: try AnswerPlace(parsing: "daily:2026-11-20"))
    }

    // MARK: - A lost phone

    /// Alice's, which has the couple's key as the phrase brings it.
    private func newPhone(in scene: PairingScene) throws -> Vault {
        let new = try scene.vaults.make("c")
        try new.plant(scene.couple, keyset: scene.bob.couple(scene.couple).key.keyset)
        try new.change { transaction throws(VaultError) in
            var couple = try transaction.couple(scene.couple)
            couple.recoveredAt = 1_800_000_000
            transaction.put(couple)
        }
        return new
    }

    /// Both have answered, and released to the phone that Alice had then.
    private func lose(
        _ state: RevealState, _ new: Vault, _ scene: PairingScene, _ vaults: RevealVaults
    ) throws -> RevealState {
        var state = state
        let alice = try taken(.seal(0, replacing: false), .alice, &state, vaults)
        let bob = try taken(.seal(1, replacing: false), .bob, &state, vaults)
        _ = try taken(.release(facing: bob, to: .partner), .alice, &state, vaults)
        _ = try taken(.release(facing: alice, to: .former), .bob, &state, vaults)
        if self == .replaced {
            state.vaults[1] = try vaults.changed(state.vault(.bob)) {
                try scene.pair(new, with: $0, newKey: true)
            }
        } else {
            let (bob, device) = (try scene.bob.device, try new.device)
            let digits = try scene.bob.safetyNumber(
                of: scene.couple, partner: device.userID, key: device.publicKey)
            try new.verify(partner: bob.userID, of: scene.couple, key: bob.publicKey, against: digits)
        }
        state.vaults[0] = try vaults.keep(new, as: .alice)
        state.seats[0] = RevealState.Memory()
        state.seats[1].hasCompared = self == .replaced
        state.depth = 0
        return state
    }

    /// The number of the document that came of a step.
    private func taken(
        _ step: RevealStep, _ seat: Seat, _ state: inout RevealState, _ vaults: RevealVaults
    ) throws -> Int {
        let outcome = try vaults.take(step, in: state.vault(seat))
        let after = state.after(step, seat, outcome, vaults)
        state = try #require(after.publishing(outcome.output, by: seat))
        return state.answers[seat.rawValue].last ?? 0
    }
}
