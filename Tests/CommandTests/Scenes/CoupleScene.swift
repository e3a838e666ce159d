import CloserWire
import Foundation
import TestSupport
import Testing

/// The folder that Scripts/Scenes/couple.txt describes.
struct CoupleScene {
    let program: ClosingProgram
    /// What no refusal may print.
    private let secrets: [String]

    /// Also one that begins where this one ends.
    init(_ name: String = "couple") async throws {
        program = try await ClosingProgram(after: Script(named: "Scenes/\(name)"))
        let invite = try JSONValue(parsing: program.content("invite.json").dropLast())
        let phrase = String(decoding: try program.content("p.txt").dropLast(), as: UTF8.self)
        secrets = ["hunter2", phrase, try #require(invite["code"]?.string)]
    }

    /// Runs a script with the short names.
    func run(_ text: String) throws -> ClosingProgram.Run { try program.script(text) }

    @discardableResult
    func lines(_ text: String) throws -> [String] { try program.lines(text) }

    /// Every file, byte for byte. Where a conflict may be noted, all that the vaults tell apart from the conflict.
    func state(withoutConflict: Bool) throws -> [String] {
        guard withoutConflict else { return try lines("cksum -- *") }
        return try lines(
            """
            for vault in a b c m; do
                closer-keys device show --vault $vault.db --json
                closer-keys couple status --vault $vault.db --json
                answer status $vault q_42 $D --json || true
            done | jq -c 'del(.changes, .conflict, .state, .couples[]?.steps)'
            ls
            """)
    }

    /// Runs the command, and checks that it was refused as it must be, changed nothing and printed no secret.
    func check(_ refusal: Refusal) throws {
        if !refusal.preparation.isEmpty { try lines(refusal.preparation) }
        let before = try state(withoutConflict: refusal.mayNoteConflict)
        let run = try run("\(refusal.command) --json")
        #expect(run.exit == refusal.exit, "\(run.text)\(run.errors)")
        let result = try JSONValue(parsing: run.output.dropLast())
        #expect(run.output.last == UInt8(ascii: "\n") && result.members?.map(\.name) == ["error"])
        let error = try #require(result["error"])
        #expect(error["code"]?.string == refusal.code)
        #expect(error["exit"]?.number == Double(refusal.exit))
        let message = try #require(error["message"]?.string)
        #expect(run.errors.contains("closer-keys: error: \(message)\n"))
        #expect(refusal.says.map { $0 == message } ?? true, "\(message)")
        if let hint = error["hint"]?.string { #expect(run.errors.hasSuffix("closer-keys: hint: \(hint)\n")) }
        #expect(error["hint"] != nil || refusal.mayLackHint, "no hint: \(message)")
        for secret in secrets { #expect(!run.text.contains(secret) && !run.errors.contains(secret)) }
        #expect(try state(withoutConflict: refusal.mayNoteConflict) == before)
    }
}

/// Something that a server, a stranger or a mistake can bring about, and how the program must refuse it.
struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A script that must succeed.
    var preparation = ""
    /// One command, to which `--json` is added.
    let command: String
    let exit: Int32
    let code: String
    /// Another answer than the pinned one may be remembered.
    var mayNoteConflict = false
    var mayLackHint = false
    /// The whole message; nil to leave that open.
    var says: String?

    init(
        _ description: String, after preparation: String = "", _ command: String, _ exit: Int32,
        _ code: String, mayNoteConflict: Bool = false, mayLackHint: Bool = false, says: String? = nil
    ) {
        (testDescription, self.preparation, self.command) = (description, preparation, command)
        (self.exit, self.code) = (exit, code)
        (self.mayNoteConflict, self.mayLackHint, self.says) = (mayNoteConflict, mayLackHint, says)
    }
}
