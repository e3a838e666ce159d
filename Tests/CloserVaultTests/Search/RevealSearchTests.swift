import CloserKeys
import TestSupport
import Testing

@testable import CloserVault

/// Every order of steps of two people who answer one question, and of a server that drops, repeats, swaps, reflects and forges
/// (closer-keys-answer(1), CHECKS). Bounded: so many replaced answers and crashes.
@Suite("Every order of the steps of a reveal")
struct RevealSearchTests {
    /// How the two begin.
    enum Beginning: String, CaseIterable, CustomTestStringConvertible {
        case shared = "a couple of v1, whose key the server has"
        case paired = "a couple that was paired, and the server has an older key"
        case rekeyed = "a couple of v1 that is rekeyed meanwhile"

        var testDescription: String { rawValue }
    }

    @Test(
        "none shows an answer for nothing, and none releases two",
        .proves("W6: an answer is shown only to a user who has sealed one"), arguments: Beginning.allCases)
    func none(_ beginning: Beginning) throws {
        let search = try search(from: beginning)
        for (fault, steps) in search.violations {
            Issue.record("\(fault), after: \(steps.joined(separator: "; "))")
        }
        for goal in ["revealed", "both finish", "conflict"] where search.violations.isEmpty {
            #expect(search.reached[goal] != nil, "\(goal)")
        }
        print("a search from \(beginning.rawValue): \(search)")
    }

    @Test("a server that has the key of the pairing is seen")
    func lucky() throws {
        let search = try search(from: .paired, serverHasAll: true, .init(depth: 2))
        #expect(search.violations.keys.contains { $0.contains("a forgery is authenticated") })
    }

    private func search(
        from beginning: Beginning, serverHasAll: Bool = false, _ bounds: RevealSearch.Bounds? = nil
    ) throws -> RevealSearch {
        let scene = try PairingScene()
        for vault in [scene.alice, scene.bob] { try vault.plant(scene.couple) }
        if beginning == .paired { try scene.pair(scene.alice, with: scene.bob) }
        let known = try serverHasAll ? scene.alice.couple(scene.couple).key : CoupleKey(Golden.keyset())
        let devices = [try scene.alice.device, try scene.bob.device]
        let papers = RevealPapers(SearchNames(), of: try name(in: scene))
        let server = try RevealServer(papers, coupleKey: known, keys: devices.map(\.publicKey))
        let vaults = try RevealVaults(scene.vaults, devices, papers, server)
        let rules = RevealRules(vaults: vaults, isVerified: beginning == .paired)
        let search = RevealSearch(vaults, rules, bounds ?? .init(mayRekey: beginning == .rekeyed))
        try search.explore(try vaults.keep(scene.alice, as: .alice), try vaults.keep(scene.bob, as: .bob))
        return search
    }

    private func name(in scene: PairingScene) throws -> AnswerName {
        AnswerName(
            couple: scene.couple, question: try QuestionID(parsing: "q_42"),
            place: try AnswerPlace(parsing: "daily:2026-11-20"))
    }
}
