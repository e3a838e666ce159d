import Foundation
import TestSupport
import Testing

@Suite("Hostile JSON takes at most 16 times its size in memory")
struct HostileJSONTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    /// What is small in a text and was large in memory.
    private static let elements = [
        "{}", "[]", "0", #""""#, #"{"a":{}}"#, "[[[[[[[[0]]]]]]]]", #"{"":{"":{"":{"":[]}}}}"#,
        #""\u00e9\n0123456789""#,
    ]

    /// Writes a text of about `byteCount` bytes, most of which are an array of `element`s.
    private func write(_ name: String, _ begin: String, _ element: String, _ end: String, byteCount: Int)
        throws
    {
        let count = byteCount / (element.utf8.count + 1)
        let list = Array(repeating: element, count: count).joined(separator: ",")
        try program.write(Data("\(begin)[\(list)]\(end)\n".utf8), to: name)
    }

    /// Runs a command with as much memory as it needs to start, and 16 times `byteCount` more.
    private func run(_ command: String, byteCount: Int) throws -> ClosingProgram.Run {
        let limit = try program.leastMemory() + 16 * byteCount / 1024
        return try program.script("ulimit -v \(limit); exec closer-keys \(command)")
    }

    @Test(
        "in a member that no rule reads", .proves("JSON takes at most 16 times its size in memory"),
        arguments: elements)
    func document(_ element: String) throws {
        try write("f", #"{"encryptionVersion":0,"a":"#, element, "}", byteCount: 1_000_000)
        let run = try run("check --kind couple f", byteCount: 1_000_000)
        #expect((run.exit, run.text) == (0, "ok\n"), "\(run.errors)")
    }

    @Test(
        "as members of a document that have other names",
        .proves("JSON takes at most 16 times its size in memory"))
    func names() throws {
        let members = (0..<100_000).map { #""\#(String($0, radix: 36))":0"# }.joined(separator: ",")
        try program.write(Data(#"{"encryptionVersion":0,\#(members)}"#.utf8), to: "f")
        let run = try run("check --kind couple f", byteCount: members.utf8.count)
        #expect((run.exit, run.text) == (0, "ok\n"), "\(run.errors)")
    }

    /// Where a file of vectors may have it, and what is said then.
    private static let places = [
        (#"{"schema":"x","a":"#, "}", "its schema x is not known"),
        (#"{"algorithm":"","schema":"base64.json","numberOfTests":1,"notes":{},"testGroups":"#, "}", ""),
        (
            #"{"algorithm":"","schema":"base64.json","numberOfTests":1,"notes":{},"testGroups":[{"type":"base64.decode","source":{"name":"","version":""},"variant":"url","tests":"#,
            "}]}", ""
        ),
        (
            #"{"algorithm":"","schema":"base64.json","numberOfTests":1,"notes":{},"testGroups":[{"type":"base64.decode","source":{"name":"","version":""},"variant":"url","tests":[{"tcId":1,"comment":"","text":"","result":"invalid","error":"malformed","flags":"#,
            "}]}]}", ""
        ),
    ]

    @Test(
        "in a file of vectors", .proves("JSON takes at most 16 times its size in memory"), arguments: elements
    )
    func vectors(_ element: String) throws {
        for (begin, end, words) in Self.places {
            try write("f", begin, element, end, byteCount: 6_000_000)
            let run = try run("vectors verify f", byteCount: 6_000_000)
            #expect(run.exit == 5 && run.errors.contains("error: f: \(words)"), "\(begin): \(run.errors)")
        }
    }

    @Test(
        "in an answer of another program", .proves("JSON takes at most 16 times its size in memory"),
        arguments: elements)
    func answer(_ element: String) throws {
        let test = #"{"tcId":1,"comment":"","flags":[],"text":"","result":"valid","output":{"bytes":""}}"#
        try program.write(
            Data(
                #"{"algorithm":"","schema":"base64.json","numberOfTests":1,"notes":{},"testGroups":[{"type":"base64.decode","source":{"name":"","version":""},"variant":"url","tests":[\#(test)]}]}"#
                    .utf8), to: "one.json")
        try write("line", #"{"seq":1,"output":{"bytes":"#, element, "}}", byteCount: 4_000_000)
        let child =
            #"read start; echo '{"seq":0,"features":["base64.decode"]}'; read one; cat line; read stop"#
        try program.write(Data(child.utf8), to: "child.sh")
        let run = try run("vectors run ./one.json -- sh child.sh", byteCount: 4_000_000)
        #expect(run.exit == 1 && run.errors.contains("1 of 1 cases failed"), "\(run.errors)")
        #expect(run.text.contains("bytes, which begin"), "\(run.text)")
    }
}
