import CloserWire
import Foundation
import Testing

/// A folder with two devices in the middle of their story. Every kill gets a copy of it.
struct KilledCouple {
    private let program: ClosingProgram
    let bobsKey: String
    /// By which Alice and Bob verify each other, in the couple `c`.
    let digits: String
    /// Of the couple `rekeyed`, on Alice's side.
    let oldKeyID: String
    static let place = "--place daily:2026-11-20"

    init() throws {
        program = try ClosingProgram()
        let program = program
        func run(_ arguments: String, _ input: String = "") throws {
            let run = try program(arguments, input: input)
            try #require(run.exit == 0, "\(arguments): \(run.errors)")
        }
        for (vault, user) in [("a", "alice"), ("b", "bob"), ("f", "alice")] {
            try run("device init --vault \(vault).db --user \(user) --key-file \(vault).key")
        }
        try run("couple create --vault a.db --couple c --phrase-file phrase -o invite")
        try run("couple join --vault b.db --couple c invite")
        try run("couple show --vault a.db --couple c --document -o couple")
        try run("field seal --vault a.db --couple c -o token", "a field of before")
        for (vault, question) in [("a", "q"), ("b", "q"), ("b", "q_new")] {
            try run(
                "answer seal --vault \(vault).db --couple c --question \(question) \(Self.place) "
                    + "-o \(vault)-\(question)", "{\"answer\":\"of \(vault)\"}")
        }
        bobsKey = try Self.key("b", program)
        let key = try Self.key("a", program)
        try run(
            "answer release --vault b.db --couple c --question q --partner alice a-q "
                + "--partner-key \(key) -o from-b")
        digits = try Self.digits("c", program, bobsKey)
        for couple in ["verified", "rekeyed"] {
            try run(
                "couple create --vault a.db --couple \(couple) --phrase-file phrase-\(couple) -o invite-\(couple)"
            )
            try run("couple join --vault b.db --couple \(couple) invite-\(couple)")
            let digits = try Self.digits(couple, program, bobsKey)
            for (vault, partner, key) in [("a", "bob", bobsKey), ("b", "alice", key)] {
                try run(
                    "couple verify --vault \(vault).db --couple \(couple) --partner \(partner) --partner-key \(key) "
                        + "--digits \(digits)")
            }
        }
        let shown = try program("couple show --vault a.db --couple rekeyed --json")
        let keys = try JSONValue(parsing: shown.output.dropLast())["keys"]?.array
        oldKeyID = "\(Int(try #require(keys?.first?["keyId"]?.number)))"
        try run("couple rekey --vault a.db --couple rekeyed --partner bob --phrase-file phrase-new -o rekey")
        try Self.pair(run)
        try run("device init --vault g.db --user gina --key-file g.key")
        let older = try program.content("g.db")
        try run("device policy --vault g.db --require-paired")
        try program.write(older, to: "g.db")
        try program.write(Data("three words more".utf8), to: "words")
        try run("device export --vault a.db --export-passphrase-file words -o export")
        try run("device link --vault a.db --yes --code-file link-code -o link")
    }

    /// Three couples that pair: the first is invited, the second has answered, also from another phone, and the third has its grant.
    private static func pair(_ run: (String, String) throws -> Void) throws {
        for number in 1...3 {
            try run(
                "pair invite --vault a.db --couple pair_\(number) --phrase-file phrase-pair-\(number) "
                    + "--code-file code-\(number) -o offer-\(number)", "")
            if number > 1 {
                try run(
                    "pair accept --vault b.db --code-file code-\(number) offer-\(number) -o reply-\(number)",
                    "")
            }
        }
        try run("device init --vault o.db --user carol --key-file o.key", "")
        try run("pair accept --vault o.db --code-file code-2 offer-2 -o reply-other", "")
        try run("pair confirm --vault a.db --couple pair_3 reply-3 -o grant-3", "")
    }

    /// How often a vault had been changed.
    func changes(_ vault: String) throws -> Double { try program.changes(vault) }

    private static func key(_ vault: String, _ program: ClosingProgram) throws -> String {
        let shown = try program("device show --vault \(vault).db --json")
        return try #require(try JSONValue(parsing: shown.output.dropLast())["publicKey"]?.string)
    }

    /// Without spaces, as one argument.
    private static func digits(
        _ couple: String, _ program: ClosingProgram, _ bobsKey: String
    ) throws -> String {
        try program("couple verify --vault a.db --couple \(couple) --partner bob --partner-key \(bobsKey)")
            .text.filter(\.isNumber)
    }

    /// The folder as it was, without this file if it is there.
    func copy(without left: String) throws -> ClosingProgram {
        let copy = try ClosingProgram()
        try copy.take(filesOf: program, but: left)
        return copy
    }

    func text(_ name: String) throws -> String { String(decoding: try program.content(name), as: UTF8.self) }
}

extension ClosingProgram {
    /// How often a vault was changed.
    func changes(_ vault: String) throws -> Double {
        let shown = try self("device show --vault \(vault).db --json")
        return try #require(try JSONValue(parsing: shown.output.dropLast())["changes"]?.number)
    }
}

/// What a killed command left.
struct Killed {
    let base: KilledCouple
    let program: ClosingProgram
    /// What it had printed.
    let output: String
    /// Whether it said that something is not as it should be, such as that nothing can be remembered.
    var isWarned = false

    var hasPrinted: Bool { output.hasSuffix("\n") || output.hasSuffix("}") }

    func has(_ name: String) throws -> Bool { try program.files().contains(name) }

    /// Runs another command, which must end with this exit code.
    @discardableResult
    func run(
        _ arguments: String, _ input: String = "", exit: Int32 = 0,
        at location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let run = try program(arguments, input: input)
        #expect(run.exit == exit, "\(arguments): \(run.errors)", sourceLocation: location)
        return run.text
    }

    /// Checks that only the owner can read each file that is there now, including temporary files that were left.
    func expectNothingIsReadable() throws {
        for name in try program.files() {
            let path = program.folder.appending(path: name).path()
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
        }
    }

    /// Checks that the couple key still opens what was sealed before.
    func expectFieldOpens(in vault: String, at location: SourceLocation = #_sourceLocation) throws {
        let field = try run("field open --vault \(vault).db --couple c token", at: location)
        #expect(field == "a field of before", sourceLocation: location)
    }

    /// Checks that the phrase opens the vault's document, and gives the vault's key.
    func expectOpens(_ phrase: String, in vault: String, _ couple: String = "c") throws {
        let document = try run("couple show --vault \(vault).db --couple \(couple) --document")
        try run(
            "couple rehearse --vault \(vault).db --couple \(couple) --phrase-file \(phrase)",
            document)
    }
}
