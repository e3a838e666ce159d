import CloserKeys
import CloserWire
import TestSupport
import Testing

@testable import CloserVectors

/// A file that is misread looks like one that passes: each fault of the frame has its error.
@Suite("The frame of a file of vectors")
struct FrameTests {
    @Test("a file has its cases, with the group's parameters in each")
    func read() throws {
        let file = try FrameFile.parsed()
        #expect(file.algorithm == "Base64")
        #expect(file.sources == ["RFC 4648 2006"])
        #expect(file.cases.map(\.id) == [1, 2])
        #expect(file.cases.map(\.operation) == ["base64.decode", "base64.decode"])
        #expect(try file.cases.map { try $0.input.text("variant") } == ["standard", "standard"])
        #expect(try file.cases.map { try $0.input.text("text") } == ["Zm9vYg==", "Zm9vYg"])
        #expect(file.cases[0].input.value["tcId"] == nil)
        #expect(try FrameFile.report().counts == Counts(passed: 2))
    }

    @Test(
        "a fault in the frame is named",
        arguments: [
            (#""notes":"#, #""extra": 1, "notes":"#, VectorFileError.unknown("extra", .file)),
            (#""algorithm": "Base64", "#, "", .missing("algorithm", .file)),
            (#""Base64""#, "1", .wrong("algorithm", .file)),
            (#""base64.json""#, #""base65.json""#, .unknownSchema("base65.json")),
            (#""numberOfTests": 2"#, #""numberOfTests": 3"#, .wrongCount(declared: 3, found: 2)),
            (#""numberOfTests": 2"#, #""numberOfTests": 1"#, .wrongCount(declared: 1, found: 2)),
            (#""numberOfTests": 2"#, #""numberOfTests": 2.5"#, .wrong("numberOfTests", .file)),
            (
                #""notes": {"Normal": "as it should be"}"#, #""notes": {}"#,
                .unexplainedFlag("Normal", .test(1))
            ),
            (#""notes": {"Normal": "as it should be"}"#, #""notes": 1"#, .wrong("notes", .file)),
            (#""type": "base64.decode""#, #""type": "canonical""#, .wrong("type", .group(1))),
            (#""variant":"#, #""spare": 1, "variant":"#, .unknown("spare", .group(1))),
            (#""variant": "standard","#, "", .missing("variant", .group(1))),
            (#""variant": "standard""#, #""variant": 7"#, .wrong("variant", .group(1))),
            (#""text": "Zm9vYg","#, #""text": ["Zm9vYg"],"#, .wrong("text", .test(2))),
            (#""version": "2006""#, #""version": 1"#, .wrong("version", .group(1))),
            (#""tcId": 2"#, #""tcId": 1"#, .duplicateID(1)),
            (#""tcId": 2"#, #""tcId": "2""#, .wrong("tcId", .group(1))),
            (#""text": "Zm9vYg","#, "", .missing("text", .test(2))),
            (#""text": "Zm9vYg","#, #""text": "Zm9vYg", "salt": "","#, .unknown("salt", .test(2))),
            (
                #""flags": ["Normal"], "text": "Zm9vYg","#, #""flags": [1], "text": "Zm9vYg","#,
                .wrong("flags", .test(2))
            ),
            (#""result": "invalid""#, #""result": "acceptable""#, .wrong("result", .test(2))),
            (#""error": "malformed""#, #""output": {}"#, .missing("error", .test(2))),
            (#""error": "malformed""#, #""error": "malformed", "output": {}"#, .unknown("output", .test(2))),
            (#""output": {"bytes": "666f6f62"}"#, #""output": "666f6f62""#, .wrong("output", .test(1))),
            (#""output": {"bytes": "666f6f62"}"#, #""error": "malformed""#, .wrong("output", .test(1))),
            (#""result": "valid""#, #""result": "valid", "trace": {"key": ""}"#, .wrong("trace", .test(1))),
        ])
    func fault(_ old: String, _ new: String, _ error: VectorFileError) {
        let text = FrameFile.changing(old, to: new)
        #expect(throws: error) { try FrameFile.parsed(text) }
        #expect(!error.words.isEmpty)
    }

    @Test("a file that is not JSON says where that shows") func notJSON() throws {
        for text in [FrameFile.changing(#"{"algorithm""#, to: #"[{"algorithm""#), "{} {}"] {
            let fault = #expect(throws: JSONFault.self) { try JSONValue.members(of: text.utf8) }
            #expect(throws: VectorFileError.notJSON(try #require(fault))) { try FrameFile.parsed(text) }
        }
    }

    @Test("a file without groups, or a group without tests, is none")
    func empty() {
        let noTests = FrameFile.text.replacing(/"tests": \[[^\]]*\][^\]]*\][^\]]*\]/, with: #""tests": []"#)
        #expect(throws: VectorFileError.wrong("tests", .group(1))) { try FrameFile.parsed(noTests) }
        let noGroups = FrameFile.text.replacing(/"testGroups": (.|\n)*/, with: #""testGroups": []}"#)
        #expect(throws: VectorFileError.wrong("testGroups", .file)) { try FrameFile.parsed(noGroups) }
    }

    @Test(
        "a wrong output, a wrong error and a wrong refusal are failures",
        arguments: [
            ("666f6f62", "666f6f63"), (#""error": "malformed""#, #""error": "limit""#),
            ("Zm9vYg==", "Zm9vYg="),
            (#""text": "Zm9vYg","#, #""text": "Zm9v","#),
        ])
    func mismatch(_ old: String, _ new: String) throws {
        #expect(try FrameFile.report(FrameFile.changing(old, to: new)).counts == Counts(passed: 1, failed: 1))
    }

    @Test("the first value on the way that differs is told, and only one that both sides know")
    func trace() throws {
        let values: [(String, String)] = [("sharedSecret", "01"), ("derivedKey", "02")]
        let expected = try #require(Trace(.object(values.map { .init($0.0, .string($0.1)) })))
        let output = Expectation.output(["plaintext": "03"])
        func difference(_ members: String) throws -> String? {
            let trace = try #require(Trace(try .init(parsing: members.utf8)))
            return expected.firstDifference(in: trace, expecting: output)?.name
        }
        #expect(try difference(#"{"derivedKey":"05","sharedSecret":"04"}"#) == "sharedSecret")
        #expect(try difference(#"{"sharedSecret":"01","derivedKey":"05"}"#) == "derivedKey")
        #expect(try difference(#"{"associatedData":"05","plaintext":"06"}"#) == "plaintext")
        #expect(try difference(#"{"sharedSecret":"01","plaintext":"03"}"#) == nil)
        #expect(try difference("{}") == nil)
    }
}
