import TestSupport
import Testing

/// Every order of steps of two people who answer one question, and of a server that drops, repeats, swaps, reflects and forges
/// (closer-keys-answer(1), CHECKS). Where one of the two lost a phone, also of the second release, one's own document, archives and
/// forgetting. Bounded: so many replaced answers and crashes.
@Suite("Every order of the steps of a reveal")
struct RevealSearchTests {
    @Test(
        "none shows an answer for nothing, and none releases two",
        .proves(
            "W6: an answer is shown only to a user who has sealed one, or whose former phone did, as the server says"
        ),
        arguments: RevealBeginning.allCases)
    func none(_ beginning: RevealBeginning) throws {
        let search = try beginning.search()
        for (fault, steps) in search.violations {
            Issue.record("\(fault), after: \(steps.joined(separator: "; "))")
        }
        for goal in beginning.goals where search.violations.isEmpty {
            #expect(search.reached[goal] != nil, "\(goal)")
        }
        print("a search from \(beginning.rawValue): \(search)")
    }

    @Test("a server that has the key of the pairing is seen")
    func lucky() throws {
        let search = try RevealBeginning.paired.search(serverHasAll: true, .init(depth: 2))
        #expect(search.violations.keys.contains { $0.contains("a forgery is authenticated") })
    }
}
