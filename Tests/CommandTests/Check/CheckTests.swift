import CloserKeys
import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("closer-keys check")
struct CheckTests {
    private let scene: CoupleScene

    init() async throws { scene = try await CoupleScene() }

    /// The verdict on a document, as JSON and as text.
    private func verdict(_ noun: String, _ file: String) throws -> (
        exit: Int32, json: JSONValue, text: String
    ) {
        let json = try scene.program("check --kind \(noun) \(file) --json")
        let text = try scene.program("check --kind \(noun) \(file)")
        #expect(json.exit == text.exit && json.errors == text.errors)
        return (json.exit, try JSONValue(parsing: json.output.dropLast()), text.text)
    }

    @Test("what the program itself writes is accepted", arguments: DocumentFault.nouns)
    func valid(_ noun: String) throws {
        let (exit, json, text) = try verdict(noun, "\(noun).json")
        #expect((exit, text) == (0, "ok\n"))
        #expect(json == ["document": .string(noun), "valid": true, "broken": []])
        let piped = try scene.run("closer-keys check --kind \(noun) < \(noun).json")
        #expect((piped.exit, piped.text, piped.errors) == (0, "ok\n", ""))
    }

    @Test(
        "other members are accepted, in any order and of any kind; of what holds content only those that are no text",
        arguments: DocumentFault.nouns)
    func unknownMembers(_ noun: String) throws {
        try scene.lines(
            "jq -c '{z: [1, {a: null}], e: \"\"} + . + {note: \"❤\"}' \(noun).json > x.json")
        let holdsContent = ["answer", "legacy-answer", "game-slot", "fitlink-message", "fond-user"]
        #expect(try verdict(noun, "x.json").exit == (holdsContent.contains(noun) ? 1 : 0))
        #expect(
            try scene.program("check --kind \(noun) --also-text note --also-text e x.json").text == "ok\n")
        try scene.lines("jq -c '{z: [1, {a: null}], \"\": 1} + . + {note: null}' \(noun).json > y.json")
        #expect(try verdict(noun, "y.json").exit == 0)
    }

    @Test(
        "what may be missing",
        arguments: [
            ("couple", "del(.encryptionVersion)"), ("couple", "{encryptionVersion: 0}"), ("couple", "{}"),
            ("couple", ".encryptionVersion = 1"), ("invite", "del(.code)"), ("invite", ".code = null"),
            ("answer", "del(.isRevealed)"), ("answer", ".isRevealed = null"),
            ("couple", ".encryptionMigrationUsers = {alice: true} | .userIds = [\"alice\", \"bob\"]"),
            ("game-slot", ".answers = {}"), ("fond-user", "{publicKey}"),
            ("legacy-answer", "{userId, questionId}"),
            (
                "legacy-answer",
                ".answerDate = \"2024-02-29\" | .createdAt = \"2024-02-29T08:00:00Z\" | .scale = 4"
            ),
            ("legacy-answer", ".choices = [.text, (.text | sub(\"v1\"; \"v2\"))]"),
            ("invite", "del(.recoveryPhrase) | .status = \"accepted\""),
            ("invite", ".status = \"pending\" | .expiresAt = {seconds: 1} | .inviterUserId = \"alice\""),
            ("game-slot", ".answers |= map_values(sub(\"v1\"; \"v2\"))"),
        ])
    func optional(_ noun: String, _ filter: String) throws {
        try scene.lines("jq -c '\(filter)' \(noun).json > x.json")
        #expect(try verdict(noun, "x.json").text == "ok\n")
    }

    @Test(
        "one fault at a time, and the rule that it breaks",
        .proves("`check` names each of the server's rules that a document breaks"),
        arguments: Effort.some(of: DocumentFault.all, everyOther: 4))
    func fault(_ fault: DocumentFault) throws {
        try scene.lines("jq -c '\(fault.filter)' \(fault.noun).json > x.json")
        let (exit, json, text) = try verdict(fault.noun, "x.json")
        #expect(exit == 1)
        #expect(json["document"]?.string == fault.noun && json["valid"] == false)
        let broken = try #require(json["broken"]?.array)
        #expect(broken.map { $0["rule"]?.string } == fault.rules)
        for (rule, id) in zip(broken, fault.rules) {
            #expect(rule["member"]?.string == id.split(separator: ".").first.map(String.init))
        }
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.map { $0.prefix { $0 != ":" } } == fault.rules.map { Substring($0) })
    }

    @Test(
        "the faults break every rule there is",
        .proves("`check` names each of the server's rules that a document breaks"))
    func everyRule() {
        let broken = Set(
            (DocumentFault.all.flatMap(\.rules) + [
                "encryptionVersion.notLowered", "encryptionVersion.required",
            ]).map { id in
                id.split(separator: ".").last.map(String.init) ?? ""
            })
        let ofWrites: [DocumentRule] = [
            .notAnUpdate, .notAMember, .notTheOwner, .notTheServer, .samePath, .notInThread,
        ]
        // What a text under one of the contract's names is not is `plaintext`.
        let ofTexts: [DocumentRule] = [.date, .messageType, .messageStatus]
        #expect(
            broken == Set(DocumentRule.allCases.filter { !(ofWrites + ofTexts).contains($0) }.map(\.name)))
        #expect(DocumentRule.allCases.count == 51)
    }

    @Test(
        "what is not one strict JSON object is malformed",
        arguments: [
            "", "[]", "null", "\"text\"", "1", "{", "{\"a\":1}{}", "{\"a\":1,\"a\":1}",
            "{\"a\":1,\"\\u0061\":1}",
            "{a:1}", "{\"a\":1,}", "{\"a\":\"\\ud800\"}", "{\"a\":9007199254740993}", "\u{feff}{}",
            "{\"a\":\(String(repeating: "[", count: 16))\(String(repeating: "]", count: 16))}",
        ])
    func malformed(_ text: String) throws {
        for noun in DocumentFault.nouns {
            let run = try scene.program("check --kind \(noun) --json", input: text)
            #expect(run.exit == 5)
            let error = try JSONValue(parsing: run.output.dropLast())["error"]
            #expect(error?["code"] == "malformed")
        }
    }

    @Test("a document of more than 1 MiB is a limit, and a secret invite is never quoted")
    func limits() throws {
        try scene.program.write(Data(count: 1 << 20 | 1), to: "large")
        for noun in DocumentFault.nouns { #expect(try scene.program("check --kind \(noun) large").exit == 6) }
        try scene.lines("jq -c '.code = \"hunter2\" | .recoveryPhrase = \"hunter2\"' invite.json > x.json")
        let (exit, json, text) = try verdict("invite", "x.json")
        #expect(exit == 1)
        #expect(!text.contains("hunter2") && !String(decoding: json.bytes, as: UTF8.self).contains("hunter2"))
    }
}
