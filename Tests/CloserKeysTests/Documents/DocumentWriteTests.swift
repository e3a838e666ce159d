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
        do {
            let write = try DocumentWrite(
                of: kind, at: try test["path"]?.string.map { try DocumentPath(parsing: $0, of: kind) },
                by: try test["as"]?.string.map { try UserID(parsing: $0) },
                replacing: previous.map { Array($0.utf8) },
                in: try couple.map { try CoupleDocument(parsing: Array($0.utf8)) })
            return try write.brokenRules(in: test.text("text").utf8).first?.id
        } catch is DocumentPath.FormatError { return "malformed" } catch is Identifier.FormatError {
            return "malformed"
        } catch is DocumentError { return "malformed" }
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
            counts.values.reduce(0, +) >= 300 && counts.count == 10 && counts["couple", default: 0] >= 150)
    }

    @Test("every path of the table is read, and chooses its kinds")
    func paths() throws {
        for kind in DocumentKind.allCases {
            for path in kind.contract.paths {
                let text = path.split(separator: "/").map { $0.hasPrefix("{") ? "x_1" : $0 }.joined(
                    separator: "/")
                #expect(try DocumentPath(parsing: text).kinds.contains(kind))
                #expect(throws: DocumentPath.FormatError.self) { try DocumentPath(parsing: text + "/x") }
            }
        }
        let pairing = try DocumentPath(parsing: "couples/c/pairings/000000")
        #expect(pairing.kinds == [.pairOffer, .pairReply, .pairGrant] && pairing["lookup"] == "000000")
    }

    @Test("a previous document that is no couple's is refused, and what looks like another kind")
    func refused() throws {
        #expect(throws: DocumentError.notAnObject) {
            try DocumentWrite(of: .couple, by: nil, replacing: Array("[]".utf8))
        }
        #expect(throws: DocumentError.broken([BrokenRule("encryptionVersion", .encryptionVersion)])) {
            try DocumentWrite(of: .couple, by: nil, replacing: Array(#"{"encryptionVersion":3}"#.utf8))
        }
        let write = try DocumentWrite(of: .couple, by: nil)
        let elsewhere = try DocumentWrite(of: .answer, at: DocumentPath(parsing: "couples/c"), by: nil)
        #expect(try elsewhere.brokenRules(in: Array("{}".utf8)) == [BrokenRule("path", .samePath)])
        #expect(throws: DocumentCheckError.otherKind(.invite)) {
            try write.brokenRules(in: Array(#"{"recoveryPhrase":""}"#.utf8))
        }
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
