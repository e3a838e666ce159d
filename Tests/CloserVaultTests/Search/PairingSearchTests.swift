import CloserKeys
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

/// Every order of steps of two people and a server that drops, repeats, swaps, changes and guesses, on vaults like any other
/// (closer-keys-pairing(7), STEPS). Bounded: so many invites, crashes and copies.
@Suite("Every order of the steps of a pairing")
struct PairingSearchTests {
    /// How the two begin.
    enum Beginning: String, CaseIterable, CustomTestStringConvertible {
        case new = "a new couple"
        case shared = "a couple of v1, whose key both and the server have"
        case lost = "a paired couple, one of whose phones is lost"
        case each = "two who each made the couple"
        case twoKeys = "two keys of one id"

        var testDescription: String { rawValue }
    }

    /// The first vaults of the two, and what holds for them.
    private func begin(
        _ beginning: Beginning, isLucky: Bool = false
    ) throws -> (vaults: SearchVaults, rules: SearchRules, alice: Int, bob: Int) {
        let (scene, names) = (try PairingScene(), SearchNames())
        let papers = SearchPapers(names, server: try SearchServer(isLucky: isLucky))
        let vaults = SearchVaults(scene, names, papers, mayHaveNewKey: beginning == .lost)
        let bob = try beginning.prepare(scene)
        let tokens = try [scene.alice, scene.bob, bob].map {
            names.of("token", try $0.device.publicKey.text)
        }
        let (a, b) = (try vaults.keep(scene.alice, as: .alice), try vaults.keep(bob, as: .bob))
        let rules = SearchRules(
            serverKeys: beginning == .shared ? Set(vaults.view(a).couple?.keys ?? []) : [],
            tokens: [[tokens[0]], Set(tokens.dropFirst())], mayFail: beginning == .twoKeys)
        return (vaults, rules, a, b)
    }

    private func explore(
        _ bounds: PairingSearch.Bounds, _ beginning: Beginning,
        _ world: (vaults: SearchVaults, rules: SearchRules, alice: Int, bob: Int)
    ) throws -> PairingSearch {
        let search = PairingSearch(world.vaults, world.rules, bounds)
        try search.explore(world.alice, world.bob)
        for (fault, steps) in search.violations {
            Issue.record("\(fault), after: \(steps.joined(separator: "; "))")
        }
        let fits = beginning != .twoKeys
        let statuses: [String: Bool] = [
            "granted": fits, "done": fits, "both paired": fits, "failed": !fits, "burned": true,
            "expired": true,
            "cancelled": true, "givenUp": true,
        ]
        for (status, isReached) in statuses where search.violations.isEmpty {
            // Two keys of one id fit again once one of the two has forgotten the couple.
            let mayBe = !fits && bounds.forgets > 0
            #expect((search.reached[status] != nil) == isReached || mayBe, "\(status)")
        }
        print("a search from \(beginning.rawValue): \(search)")
        return search
    }

    @Test(
        "none leads to what must not be",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"),
        .proves("W1: a couple counts as private only while the server cannot have its key"),
        arguments: Beginning.allCases)
    func none(_ beginning: Beginning) throws {
        let world = try begin(beginning)
        // One invite, to the end of all that can become of it; and a little of everything.
        _ = try explore(.oneInvite, beginning, world)
        _ = try explore(.init(retires: beginning == .new ? 0 : 1), beginning, world)
    }

    @Test("a right guess is seen as a loss")
    func lucky() throws {
        let world = try begin(.new, isLucky: true)
        let search = PairingSearch(world.vaults, world.rules, .init(depth: 3))
        try search.explore(world.alice, world.bob)
        #expect(
            search.violations.keys.contains { $0.contains("a server without the code opened a document") })
    }
}

extension PairingSearchTests.Beginning {
    /// Brings the two there; gives Bob's vault, which may be that of another phone.
    fileprivate func prepare(_ scene: PairingScene) throws -> Vault {
        switch self {
        case .new: return scene.bob
        case .shared: for vault in [scene.alice, scene.bob] { try vault.plant(scene.couple) }
        case .each:
            scene.bob.setSeams(SearchClock.start, SearchStretch.stretched)
            let draft = try scene.bob.draftOffer(
                of: scene.couple, beginningAt: .strict, openFor: .seconds(3600))
            try scene.bob.store(draft)
            _ = try scene.bob.cancelOffer(of: scene.couple)
        case .twoKeys:
            try scene.alice.plant(scene.couple)
            try scene.bob.plant(scene.couple, keyset: try Golden.keyset().withOtherBytes())
        case .lost:
            try scene.pair(scene.alice, with: scene.bob)
            return try scene.vaults.make("new", for: "bob")
        }
        return scene.bob
    }
}
