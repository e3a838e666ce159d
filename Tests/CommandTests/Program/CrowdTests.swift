import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("Sixteen processes at once on one vault")
struct CrowdTests {
    private static let count = 16
    private let program: ClosingProgram
    private let place = "--place daily:2026-11-20"

    init() throws {
        program = try ClosingProgram()
        for (vault, user) in [("a", "alice"), ("b", "bob")] {
            try #require(
                try program("device init --vault \(vault).db --user \(user) --key-file \(vault).key").exit
                    == 0)
        }
    }

    private func makeCouple() throws {
        let invite = try program("couple create --vault a.db --couple c --phrase-file p")
        try #require(invite.exit == 0)
        try #require(try program("couple join --vault b.db --couple c", input: invite.text).exit == 0)
    }

    /// Starts all of them before it waits for the first.
    private func crowd(_ arguments: (Int) -> String, input: String = "") throws -> [ClosingProgram.Run] {
        let crowd = try (1...Self.count).map { try program.start(arguments($0), input: input) }
        return try crowd.map { try $0.wait() }
    }

    private func changes(_ vault: String) throws -> Double? {
        let shown = try program("device show --vault \(vault).db --json")
        return try JSONValue(parsing: shown.output.dropLast())["changes"]?.number
    }

    @Test(
        "different answers: all are there, each as it was printed",
        .proves("V6: a crash, a full disk or two commands at once leave the old vault or the new one"))
    func differentAnswers() throws {
        try makeCouple()
        let before = try #require(try changes("a"))
        let runs = try crowd(
            { "answer seal --vault a.db --couple c --question q_\($0) \(place)" },
            input: "{\"answer\":\"yes\"}")
        #expect(runs.map(\.exit) == Array(repeating: 0, count: Self.count), "\(runs.map(\.errors))")
        #expect(Set(runs.map(\.output)).count == Self.count)
        for (index, run) in runs.enumerated() {
            let status = try program(
                "answer status --vault a.db --couple c --question q_\(index + 1) --document")
            #expect(status.output == run.output)
        }
        #expect(try changes("a") == before + Double(Self.count))
    }

    @Test("the same rekey: one key is sent, and nobody prints another one")
    func sameRekey() throws {
        let program = try KilledCouple().copy(without: "none")
        let runs = try (1...8).map { number in
            try program.start(
                "couple rekey --vault a.db --couple verified --partner bob --phrase-file n\(number)",
                input: "")
        }.map { try $0.wait() }
        let sent = runs.filter { $0.exit == 0 }
        #expect(!sent.isEmpty && Set(sent.map(\.output)).count == 1, "\(runs.map(\.errors))")
        #expect(Set(runs.map(\.exit)).isSubset(of: [0, 8]), "\(runs.map(\.errors))")
        let phrases = try program.files().filter { $0.wholeMatch(of: /n[1-8]/) != nil }
        #expect(phrases.count == 1, "\(phrases)")
    }

    @Test("the same answer: one is sealed, the others are told so")
    func sameAnswer() throws {
        try makeCouple()
        let runs = try crowd(
            { _ in "answer seal --vault a.db --couple c --question q \(place)" },
            input: "{\"answer\":\"yes\"}")
        #expect(runs.count { $0.exit == 0 } == 1)
        #expect(runs.count { $0.exit == 7 && $0.output.isEmpty } == Self.count - 1)
        let document = try program("answer status --vault a.db --couple c --question q --document").output
        #expect(runs.first { $0.exit == 0 }?.output == document)
    }

    @Test("the same release: the same bytes from all")
    func sameRelease() throws {
        try makeCouple()
        for (vault, answer) in [("a", "yes"), ("b", "no")] {
            let sealed = try program(
                "answer seal --vault \(vault).db --couple c --question q \(place) -o \(vault).json",
                input: "{\"answer\":\"\(answer)\"}")
            try #require(sealed.exit == 0)
        }
        let shown = try JSONValue(
            parsing: program("device show --vault b.db --json").output.dropLast())
        let key = try #require(shown["publicKey"]?.string)
        let runs = try crowd { _ in
            "answer release --vault a.db --couple c --question q --partner bob b.json "
                + "--partner-key \(key)"
        }
        #expect(runs.map(\.exit) == Array(repeating: 0, count: Self.count), "\(runs.map(\.errors))")
        #expect(Set(runs.map(\.output)).count == 1)
        try program.write(runs[0].output, to: "release.json")
        let revealed = try program(
            "answer reveal --vault b.db --couple c --question q --partner alice a.json "
                + "--release release.json")
        #expect(revealed.exit == 0 && revealed.text.contains("\"answer\":\"yes\""))
    }

    @Test("the same couple: one is made, and its phrase is the only one that was written")
    func sameCouple() throws {
        let runs = try crowd { "couple create --vault a.db --couple c --phrase-file p_\($0)" }
        #expect(runs.count { $0.exit == 0 } == 1)
        #expect(runs.count { $0.exit == 7 && $0.output.isEmpty } == Self.count - 1)
        let phrases = try program.files().filter { $0.hasPrefix("p_") }
        let winner = try #require(runs.firstIndex { $0.exit == 0 })
        #expect(phrases == ["p_\(winner + 1)"])
        #expect(try !program.files().contains { $0.hasSuffix(".tmp") })
        let document = try program("couple show --vault a.db --couple c --document")
        let rehearsal = try program(
            "couple rehearse --vault a.db --couple c --phrase-file p_\(winner + 1)",
            input: document.text)
        #expect(rehearsal.exit == 0)
    }

    @Test("the same vault: one is made")
    func sameVault() throws {
        let runs = try crowd { _ in "device init --vault new.db --user carol --key-file a.key --json" }
        #expect(runs.count { $0.exit == 0 } == 1)
        #expect(runs.count { $0.exit == 7 } == Self.count - 1, "\(runs.map(\.errors))")
        let made = try JSONValue(
            parsing: #require(runs.first { $0.exit == 0 }).output.dropLast())["publicKey"]?.string
        let shown = try JSONValue(
            parsing: program("device show --vault new.db --json").output.dropLast())["publicKey"]?.string
        #expect(made != nil && made == shown)
    }

    @Test("readers among writers see one state or the next")
    func readers() throws {
        try makeCouple()
        let runs = try crowd(
            {
                $0.isMultiple(of: 2)
                    ? "couple status --vault a.db"
                    : "answer seal --vault a.db --couple c --question q_\($0) \(place)"
            }, input: "{\"answer\":\"yes\"}")
        #expect(runs.allSatisfy { $0.exit == 0 && !$0.output.isEmpty }, "\(runs.map(\.errors))")
    }
}
