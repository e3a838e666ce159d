import CloserWire
import Foundation
import TestSupport
import Testing

/// What a field's place is good for, by the program: a server that moves a field is noticed.
@Suite("A field is bound to its place")
struct PlaceTests {
    private let program: ClosingProgram
    private let key = "--keyset-file k --couple couple_1"

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(TestData.golden.hex("coupleKeyset.binaryHex")), to: "k")
        let run = try program.script(
            """
            printf home | closer-keys field seal \(key) --place users/alice/status -o alice
            printf away | closer-keys field seal \(key) --place users/bob/status -o bob
            printf old | closer-keys field seal \(key) -o old
            """)
        try #require(run.exit == 0, "\(run.errors)")
    }

    private func open(_ arguments: String) throws -> ClosingProgram.Run {
        try program("field open \(key) \(arguments)")
    }

    private func batch(_ verb: String, _ lines: [String]) throws -> ClosingProgram.Run {
        try program("field \(verb) \(key) --jsonl", input: lines.joined(separator: "\n"))
    }

    private func token(_ name: String) throws -> String {
        String(decoding: try program.content(name).dropLast(), as: UTF8.self)
    }

    private func codes(_ run: ClosingProgram.Run) throws -> [String] {
        try run.text.split(separator: "\n").map {
            try JSONValue(parsing: $0.utf8)["error"]?["code"]?.string ?? ""
        }
    }

    @Test(
        "two fields that were swapped do not open",
        .proves("W11: a field that was sealed for a place opens at no other place"))
    func swapped() throws {
        #expect(try token("alice").hasPrefix("enc:v2:"))
        #expect(try open("--place users/alice/status alice").text == "home")
        for swap in ["--place users/alice/status bob", "--place users/bob/status alice"] {
            let run = try open(swap)
            #expect(run.exit == 3 && run.text.isEmpty)
        }
    }

    @Test(
        "a field that is bound to no place is refused where a place is named, unless it is allowed",
        .proves("W11: a field without a place is refused where a place is named"))
    func unbound() throws {
        let refused = try open("--place users/alice/status --json old")
        #expect(refused.exit == 8)
        #expect(try JSONValue(parsing: refused.output)["error"]?["code"]?.string == "unbound")
        let allowed = try open("--place users/alice/status --allow-unbound --json old")
        #expect(try JSONValue(parsing: allowed.output)["bound"] == .bool(false))
        #expect(
            allowed.errors
                == "closer-keys: this field lacks a place: the server may have moved it here\n")
        let bound = try open("--place users/alice/status --allow-unbound --json alice")
        #expect(try JSONValue(parsing: bound.output)["bound"] == .bool(true) && bound.errors.isEmpty)
        #expect(try open("--place users/bob/status --allow-unbound alice").exit == 3)
    }

    @Test("a field that is bound to a place needs it, and an older reader's error names the option")
    func needed() throws {
        let run = try open("alice")
        #expect(run.exit == 5 && run.errors.contains("error: this field is bound to its place\n"))
        #expect(run.errors.contains("hint: name its place with --place"))
        #expect(try open("--json old").text.contains("bound") == false)
    }

    @Test(
        "places are printable, and options that say nothing are mistakes",
        arguments: [
            ("field open --place= alice", 5),
            ("field open --place=\(String(repeating: "p", count: 513)) alice", 5),
            ("field seal --place=é old", 5), ("field open --allow-unbound old", 64),
            ("field open --place=x --jsonl old", 64), ("field seal --place=x --jsonl old", 64),
        ])
    func options(_ arguments: String, _ exit: Int) throws {
        #expect(try program("\(arguments) \(key)").exit == Int32(exit))
    }

    @Test("each line of a batch names its place, which stays in the line")
    func lines() throws {
        let sealed = try batch(
            "seal",
            [#"{"id":1,"place":"a/1","plaintext":"one"}"#, #"{"plaintext":"two","place":"\u0061/2"}"#])
        #expect(sealed.exit == 0)
        let shapes = sealed.text.replacing(#/enc:v2:[A-Za-z0-9+/]+=*/#, with: "…")
        #expect(
            shapes
                == "{\"id\":1,\"place\":\"a/1\",\"token\":\"…\"}\n{\"token\":\"…\",\"place\":\"\\u0061/2\"}\n"
        )
        let opened = try batch("open", sealed.text.split(separator: "\n").map(String.init))
        #expect(
            opened.text == """
                {"id":1,"place":"a/1","plaintext":"one","bound":true}
                {"plaintext":"two","bound":true,"place":"\\u0061/2"}

                """)
        let moved = try batch(
            "open",
            [
                #"{"place":"users/alice/status","token":"\#(token("bob"))"}"#,
                #"{"place":"users/alice/status","token":"\#(token("old"))"}"#,
                #"{"token":"\#(token("alice"))"}"#, #"{"place":"","token":"\#(token("alice"))"}"#,
                #"{"place":1,"token":"\#(token("alice"))"}"#,
                #"{"place":"users/alice/status","bound":true,"token":"\#(token("alice"))"}"#,
            ])
        #expect(moved.exit == 9)
        #expect(
            try codes(moved) == ["authFailed", "unbound", "malformed", "malformed", "malformed", "malformed"])
    }

    @Test(
        "what came out of a field without a place is sealed for one only at your word",
        .proves("W11: a field that the server may have moved is bound to a place only at your word"))
    func resealed() throws {
        let opened = try batch(
            "open --allow-unbound", [#"{"place":"users/alice/status","token":"\#(token("old"))"}"#])
        #expect(opened.text == "{\"place\":\"users/alice/status\",\"plaintext\":\"old\",\"bound\":false}\n")
        #expect(
            opened.errors
                == "closer-keys: fields that lack a place: 1; the server may have moved them\n")
        let refused = try batch("seal", [opened.text])
        #expect(try refused.exit == 9 && codes(refused) == ["unbound"])
        let trusted = try batch("seal --trust-old", [opened.text])
        #expect(trusted.exit == 0)
        #expect(
            try batch("open", [trusted.text]).text
                == "{\"place\":\"users/alice/status\",\"plaintext\":\"old\",\"bound\":true}\n")
        // Where `open` was told no place, a vault gives the origin alone.
        let placed = try batch("seal", [#"{"place":"x","plaintext":"old","origin":"pairing"}"#])
        #expect(try codes(placed) == ["unbound"])
        // Without a place nothing claims one; and `bound` is a boolean.
        #expect(try batch("seal", [#"{"plaintext":"x","bound":false}"#]).exit == 0)
        #expect(try codes(batch("seal", [#"{"plaintext":"x","bound":"true"}"#])) == ["malformed"])
    }

    @Test("without a place, fields are what they were, byte for byte")
    func versionOne() throws {
        let golden = TestData.golden
        let opened = try batch(
            "open", [golden.text("field.token"), #"{"n":1.0,"token":"\#(golden.text("field.token"))"}"#])
        let text = golden.text("field.plaintext")
        #expect(opened.text == "{\"plaintext\":\"\(text)\"}\n{\"n\":1.0,\"plaintext\":\"\(text)\"}\n")
        #expect(opened.errors.isEmpty)
        #expect(try token("old").hasPrefix("enc:v1:"))
    }

    @Test("inspect says whether a field is bound, and what is misspelt in one that is")
    func inspected() throws {
        #expect(
            try program("inspect alice").text.contains(
                "kind: field\ncertainty: claims to be one\nbound: true\n"))
        #expect(try program("inspect old").text.contains("bound: false\n"))
        let cut = try program.script("tr -d = < alice | closer-keys field open \(key) --place x || exit $?")
        #expect(cut.exit == 5 && cut.errors.contains("this field lacks its padding"))
    }
}
