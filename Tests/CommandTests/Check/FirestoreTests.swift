import Foundation
import Testing

/// A couple's document as Firestore's REST interface answers it, where each value is in an object with its type.
@Suite("Firestore's REST form")
struct FirestoreTests {
    private let scene: CoupleScene

    init() async throws {
        scene = try await CoupleScene()
        try scene.lines(
            """
            jq '{name: "projects/p/databases/d/documents/couples/c", fields: map_values(
                if type == "number" then {integerValue: tostring}
                elif type == "boolean" then {booleanValue: .} else {stringValue: .} end)}' couple.json > rest.json
            """)
    }

    @Test(
        "it is recognised wherever a couple's document is read, and refused as what it is",
        arguments: [
            "couple recover c --phrase-file p.txt rest.json", "closer-keys check rest.json",
            "closer-keys check --kind couple rest.json",
            "closer-keys check --as-server --previous rest.json couple.json",
        ])
    func refused(_ command: String) throws {
        let run = try scene.run(command)
        #expect(run.exit == 5)
        #expect(
            run.errors.hasPrefix(
                "closer-keys: error: this is a document in Firestore's REST form, not a couple's document\n"),
            "\(run.errors)")
    }

    @Test("the line of the hint makes the document of it, which inspect says, too")
    func converted() throws {
        let run = try scene.run(
            """
            hint=$(closer-keys inspect rest.json --json | jq -r .next | sed 's,^[^:]*: ,,')
            eval "$hint" rest.json > again.json; closer-keys check --kind couple again.json
            jq -S . couple.json > 1; jq -S . again.json > 2; cmp 1 2
            closer-keys check rest.json 2>&1 | grep -cF "$hint"
            """)
        #expect(run.text == "ok\n1\n", "\(run.errors)")
    }

    @Test("inspect shows who made a pairing's offer, and for which couple")
    func offer() throws {
        let run = try scene.run("closer-keys inspect pair-offer.json --json")
        let shown = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        #expect(shown["userId"] is String && shown["coupleId"] is String)
    }
}
