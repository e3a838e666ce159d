import CloserWire
import Foundation
import Testing

@Suite("Sixteen processes judge at once")
struct PairingCrowdTests {
    private static let count = 16
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let run = try program.script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys pair invite --vault a.db --couple c --phrase-file p.txt --code-file right.txt > offer
            """)
        try #require(run.exit == 0, "\(run.errors)")
    }

    /// Replies of as many devices, each of which knew the code or did not.
    private func answer(_ isRight: (Int) -> Bool) throws {
        let right = String(decoding: try program.content("right.txt"), as: UTF8.self)
        let wrong = right.prefix(7) + (right.hasPrefix("000000\n", after: 7) ? "111111\n" : "000000\n")
        try program.write(Data(wrong.utf8), to: "wrong.txt")
        for number in 1...Self.count {
            let vault = "--vault \(number).db"
            let made = try program("device init \(vault) --user user\(number) --key-file \(number).key")
            let reply = try program(
                "pair accept \(vault) --code-file \(isRight(number) ? "right" : "wrong").txt offer -o reply\(number)"
            )
            try #require(made.exit == 0 && reply.exit == 0, "\(made.errors)\(reply.errors)")
        }
    }

    private func confirmAll(_ reply: (Int) -> String) throws -> [ClosingProgram.Run] {
        let crowd = try (1...Self.count).map {
            try program.start("pair confirm --vault a.db --couple c \(reply($0))")
        }
        return try crowd.map { try $0.wait() }
    }

    private func shown() throws -> JSONValue {
        try JSONValue(parsing: try program("couple show --vault a.db --couple c --json").output.dropLast())
    }

    @Test("sixteen replies: one of them gets the one verdict")
    func replies() throws {
        try answer { $0.isMultiple(of: 2) }
        let before = try program.changes("a")
        let runs = try confirmAll { "reply\($0)" }
        let granted = runs.indices.filter { runs[$0].exit == 0 }
        let burned = runs.indices.filter { runs[$0].exit == 3 }
        // Those that come late: 1 after a grant, 8 after a wrong code.
        #expect(granted.count + burned.count == 1, "\(runs.map(\.exit))")
        #expect(runs.count { $0.exit == (granted.isEmpty ? 8 : 1) && $0.output.isEmpty } == Self.count - 1)
        #expect(granted.allSatisfy { !$0.isMultiple(of: 2) } && burned.allSatisfy { $0.isMultiple(of: 2) })
        #expect(try program.changes("a") == before + 2)
        let couple = try shown()
        #expect(couple["pairing"]?["status"]?.string == (granted.isEmpty ? "burned" : "granted"))
        let partners = couple["partners"]?.array?.compactMap { $0["userId"]?.string } ?? []
        #expect(partners == granted.map { "user\($0 + 1)" })
    }

    @Test(
        "the same right reply sixteen times, of a couple that gets a new phrase: the same grant, and one phrase"
    )
    func phrases() throws {
        try answer { _ in true }
        #expect(try program("pair invite --vault a.db --couple c --cancel").exit == 0)
        let made = try program.script(
            """
            closer-keys couple create --vault a.db --couple d --phrase-file old.txt -o invite
            closer-keys pair invite --vault a.db --couple d --code-file code.txt -o offer-d
            closer-keys pair accept --vault 7.db --code-file code.txt offer-d -o reply-d
            """)
        try #require(made.exit == 0, "\(made.errors)")
        let crowd = try (1...Self.count).map {
            try program.start("pair confirm --vault a.db --couple d --phrase-file p\($0).txt reply-d")
        }
        let runs = try crowd.map { try $0.wait() }
        // Those that came in between are told to run it again.
        #expect(
            runs.allSatisfy { $0.exit == 0 || $0.exit == 8 && $0.errors.contains("run it again") },
            "\(runs.map(\.errors))")
        #expect(Set(runs.filter { $0.exit == 0 }.map(\.output)).count == 1)
        let phrases = try program.files().filter {
            $0.hasPrefix("p") && $0.hasSuffix(".txt") && $0 != "p.txt"
        }
        try #require(phrases.count == 1, "\(phrases)")
        let opened = try program.script(
            """
            closer-keys couple show --vault a.db --couple d --document -o document
            closer-keys couple rehearse --couple d --phrase-file \(phrases[0]) document
            """)
        #expect(opened.exit == 0, "\(opened.errors)")
    }

    @Test("the same right reply sixteen times: the same grant")
    func repeated() throws {
        try answer { _ in true }
        let before = try program.changes("a")
        let runs = try confirmAll { _ in "reply7" }
        #expect(runs.map(\.exit) == Array(repeating: 0, count: Self.count), "\(runs.map(\.errors))")
        #expect(Set(runs.map(\.output)).count == 1)
        #expect(try program.changes("a") == before + 2)
        try program.write(runs[0].output, to: "grant")
        #expect(try program("pair finish --vault 7.db --couple c --phrase-file q.txt grant").exit == 0)
        #expect(try program.content("q.txt") == program.content("p.txt"))
    }
}

extension String {
    fileprivate func hasPrefix(_ prefix: String, after count: Int) -> Bool {
        dropFirst(count).hasPrefix(prefix)
    }
}
