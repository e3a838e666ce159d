import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserKeys

/// Writes of documents, held against cases that were written down by hand and judged in Python.
@Suite("A write of a document")
struct DocumentWriteTests {
    private static let groups = Result {
        let file = TestData.root.appending(path: "vectors/v1/documents.json")
        let all = try #require(try JSONValue(parsing: Data(contentsOf: file))["testGroups"]?.array)
        return all.filter { $0["type"]?.string == "document.write" }
    }

    /// The id of the first broken rule; nil if the server may store the document.
    private func verdict(_ kind: DocumentKind, _ test: JSONValue) throws -> String? {
        let (previous, couple) = (test["previous"]?.string, test["couple"]?.string)
        let bytes = Array(test.text("text").utf8)
        do {
            let path = try test["path"]?.string.map { try DocumentPath(parsing: $0, of: kind) }
            let couple = try couple.map { try CoupleDocument(parsing: $0.utf8) }
            guard let writer = try test["as"]?.string.map(Self.writer) else {
                guard previous == nil else { return "malformed" }
                return try kind.brokenRules(in: bytes).first?.id
            }
            let write = try DocumentWrite(
                of: kind, at: path, by: writer, replacing: previous.map { Array($0.utf8) }, in: couple)
            return try write.brokenRules(in: bytes).first?.id
        } catch is DocumentPath.FormatError { return "malformed" } catch is Identifier.FormatError {
            return "malformed"
        } catch is DocumentError { return "malformed" }
    }

    private static func writer(_ text: String) throws -> DocumentWrite.Writer {
        text == "$server" ? .server : .user(try UserID(parsing: text))
    }

    @Test(
        "each case is judged as it was in Python",
        .proves("`check` says who may create a document, and what of it each writer may change"))
    func cases() throws {
        var counts: [String: Int] = [:]
        for group in try Self.groups.get() {
            let kind = try #require(DocumentKind(rawValue: group.text("document")))
            for test in group["tests"]?.array ?? [] {
                let found = try verdict(kind, test)
                #expect(found == test["error"]?.string, "\(kind): \(test.text("comment"))")
                counts[kind.rawValue, default: 0] += 1
            }
        }
        #expect(
            counts.values.reduce(0, +) >= 300 && counts.count == 16 && counts["couple", default: 0] >= 150)
    }

    @Test("every path of the table is read, and chooses its kinds")
    func paths() throws {
        for kind in DocumentKind.allCases {
            for path in kind.contract.paths {
                let parts = path.split(separator: "/").map { part in
                    part == "{date}" ? "2024-02-29" : part.hasPrefix("{") ? "x_1" : part
                }
                let text = parts.joined(separator: "/")
                if path.contains("{date}") {
                    let never = text.replacing("2024", with: "2023")
                    #expect(throws: DocumentPath.FormatError.self) { try DocumentPath(parsing: never) }
                }
                #expect(try DocumentPath(parsing: text).kinds.contains(kind))
                #expect(throws: DocumentPath.FormatError.self) { try DocumentPath(parsing: text + "/x") }
            }
        }
        let pairing = try DocumentPath(parsing: "couples/c/pairings/000000")
        #expect(pairing.kinds == [.pairOffer, .pairReply, .pairGrant] && pairing["lookup"] == "000000")
    }

    @Test("a previous document that is no couple's is refused, and what looks like another kind")
    func refused() throws {
        #expect(throws: DocumentError.notAnObject(jsonFault("[]".utf8))) {
            try DocumentWrite(of: .couple, by: .server, replacing: Array("[]".utf8))
        }
        #expect(throws: DocumentError.broken([BrokenRule("encryptionVersion", .encryptionVersion)])) {
            try DocumentWrite(of: .couple, by: .server, replacing: Array(#"{"encryptionVersion":3}"#.utf8))
        }
        let write = try DocumentWrite(of: .couple, by: .server)
        let elsewhere = try DocumentWrite(of: .answer, at: DocumentPath(parsing: "couples/c"), by: .server)
        #expect(try elsewhere.brokenRules(in: Array("{}".utf8)) == [BrokenRule("path", .samePath)])
        #expect(throws: DocumentCheckError.otherKind(.invite)) {
            try write.brokenRules(in: Array(#"{"recoveryPhrase":""}"#.utf8))
        }
    }

    @Test("a request without a user may write nothing that names its writer")
    func nobody() throws {
        for group in try Self.groups.get() {
            let kind = try #require(DocumentKind(rawValue: group.text("document")))
            for test in group["tests"]?.array ?? [] where test["error"] == nil && test["as"] != nil {
                let write = try DocumentWrite(
                    of: kind, at: try test["path"]?.string.map { try DocumentPath(parsing: $0, of: kind) },
                    by: .nobody, replacing: test["previous"]?.string.map { Array($0.utf8) },
                    in: try test["couple"]?.string.map { try CoupleDocument(parsing: $0.utf8) })
                let rule = try write.brokenRules(in: Array(test.text("text").utf8)).first?.rule
                let expected: [DocumentRule?] =
                    kind == .pairGrant ? [nil] : [.notTheOwner, .notAMember, .notTheServer]
                #expect(expected.contains(rule), "\(kind): \(test.text("comment"))")
            }
        }
    }

    @Test("members of an app may hold texts that it names, on writing; a phone reads on in any case")
    func alsoText() throws {
        let text = Array(DocumentTests.answer.dropLast().utf8) + Array(#","mood":{"words":["blue"]}}"#.utf8)
        #expect(try DocumentKind.answer.brokenRules(in: text) == [BrokenRule("mood", .plaintext)])
        #expect(try DocumentKind.answer.brokenRules(in: text, alsoText: ["mood"]).isEmpty)
        #expect(try DocumentKind.answer.brokenRules(in: text, alsoText: ["words"]).count == 1)
        let alice = DocumentWrite.Writer.user(try UserID(parsing: "alice"))
        #expect(try DocumentWrite(of: .answer, by: alice).brokenRules(in: text).count == 1)
        #expect(try DocumentWrite(of: .answer, by: alice, alsoText: ["mood"]).brokenRules(in: text).isEmpty)
        #expect(try AnswerDocument(parsing: text).userID.text == "alice")
    }

    @Test(
        "a partner's newer app locks nobody out: unknown texts, times and states are read over",
        arguments: [
            ("couple", DocumentTests.couple), ("invite", DocumentTests.invite),
            ("answer", DocumentTests.answer),
            ("release-key", DocumentTests.releaseKey), ("device", DocumentTests.device),
            ("rekey", DocumentTests.rekey),
        ])
    func newer(_ noun: String, _ text: String) throws {
        let more = #""note":"in the clear","status":"unheard of","createdAt":"yesterday","list":[{"x":"y"}]"#
        #expect(try DocumentTests.reprinted(noun, "{\(more),\(text.dropFirst())") == text)
    }

    @Test("a result names at most sixteen members in the clear")
    func many() throws {
        let clear = (10..<60).map { #","m\#($0)":"x""# }.joined()
        let text = Array("\(DocumentTests.answer.dropLast())\(clear)}".utf8)
        let names = try DocumentKind.answer.brokenRules(in: text).map(\.member)
        #expect(names == (10..<26).map { "m\($0)" })
    }

    @Test("a merge patch, RFC 7396, appendix A")
    func patches() throws {
        for (before, patch, after) in [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (
                #"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#
            ), (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ] {
            let merged = try JSONValue(parsing: before.utf8).merging(patch: JSONValue(parsing: patch.utf8))
            #expect(String(decoding: merged.canonicalBytes, as: UTF8.self) == after)
        }
    }
}
