import CloserWire
import Testing

extension KillScene {
    private static let invite = "pair invite --vault a.db --couple new"
    private static let accept = "pair accept --vault b.db --code-file code-1 offer-1"
    private static let confirm = "pair confirm --vault a.db --couple pair_2 reply-2"
    private static let finish = "pair finish --vault b.db --couple pair_3 grant-3"

    static let pairings = [
        KillScene(
            "pair invite", "\(invite) --phrase-file n --code-file code", vault: "a.db", weight: 3,
            check: invited),
        KillScene("pair accept", accept, vault: "b.db", weight: 3, check: accepted),
        KillScene("pair confirm", confirm, vault: "a.db", weight: 4, check: confirmed),
        KillScene("pair finish", "\(finish) --phrase-file n", vault: "b.db", weight: 4, check: finished),
        KillScene(
            "couple forget, with an open invite", "couple forget --vault a.db --couple pair_2 --yes",
            vault: "a.db", weight: 2
        ) { killed in
            let show = try killed.program("couple show --vault a.db --couple pair_2").exit
            try killed.run("couple forget --vault a.db --couple pair_2 --yes", exit: show)
            // Its invite judges nothing any more.
            try killed.run(confirm, exit: 8)
            switch (show, killed.hasPrinted) {
            case (0, false): return "old"
            case (4, _): return "new"
            default: return nil
            }
        },
        KillScene(
            "device policy", "device policy --vault a.db --require-paired", vault: "a.db", weight: 2
        ) { killed in
            let create = "couple create --vault a.db --couple new --phrase-file n"
            let exit = try killed.program(create).exit
            let again = try killed.run("device policy --vault a.db --require-paired")
            if killed.hasPrinted { #expect(again == killed.output) }
            try killed.run("couple create --vault a.db --couple newer --phrase-file m", exit: 8)
            switch (exit, killed.hasPrinted) {
            case (0, false): return "old"
            case (8, _): return "new"
            default: return nil
            }
        },
    ]

    /// There is no couple without its phrase, and its invite is told again, the same.
    @Sendable private static func invited(_ killed: Killed) throws -> String? {
        let isThere = try killed.program("couple show --vault a.db --couple new").exit == 0
        let hasPhrase = try killed.has("n")
        let phrase = isThere ? "" : "--phrase-file m"
        let offer = try killed.run("\(invite) \(phrase) --code-file code-again")
        #expect(try killed.run("\(invite) --code-file code-again") == offer)
        if killed.hasPrinted { #expect(killed.output == offer && hasPhrase) }
        if try killed.has("code"), try killed.text("code").hasSuffix("\n") {
            #expect(try killed.text("code") == killed.text("code-again"))
        }
        try killed.expectOpens(isThere ? "n" : "m", in: "a", "new")
        let reply = try killed.run("pair accept --vault b.db --code-file code-again", offer)
        try killed.run("pair confirm --vault a.db --couple new", reply)
        guard !isThere else { return hasPhrase ? "new" : nil }
        return killed.hasPrinted ? nil : hasPhrase ? "old, with a phrase for nothing" : "old"
    }

    /// The code answers the one offer, before and after.
    @Sendable private static func accepted(_ killed: Killed) throws -> String? {
        let isNew = try killed.program.changes("b") > killed.base.changes("b")
        let reply = try killed.run(accept)
        #expect(try killed.run(accept) == reply)
        if killed.hasPrinted { #expect(killed.output == reply) }
        #expect(try killed.program.changes("b") == killed.base.changes("b") + 1)
        try killed.run("pair confirm --vault a.db --couple pair_1", reply)
        return isNew ? "new" : killed.hasPrinted ? nil : "old"
    }

    /// One verdict: the same grant from now on, also if it was never shown.
    @Sendable private static func confirmed(_ killed: Killed) throws -> String? {
        let status = try killed.pairing("a", "pair_2")
        let grant = try killed.run(confirm)
        #expect(try killed.run(confirm) == grant)
        if killed.hasPrinted { #expect(killed.output == grant) }
        try killed.run("pair confirm --vault a.db --couple pair_2 reply-other", exit: 1)
        try killed.run("pair finish --vault b.db --couple pair_2 --phrase-file q", grant)
        try killed.expectOpens("q", in: "b", "pair_2")
        switch (status, killed.hasPrinted) {
        case ("open", false): return "old"
        case ("granted", _): return "new"
        default: return nil
        }
    }

    @Sendable private static func finished(_ killed: Killed) throws -> String? {
        let shown = try killed.program("couple show --vault b.db --couple pair_3 --json")
        let isThere = shown.exit == 0 && !shown.text.contains(#""state":"waiting""#)
        let hasPhrase = try killed.has("n")
        let phrase = isThere ? "" : "--phrase-file m"
        let report = try killed.run("\(finish) \(phrase)")
        #expect(try killed.run(finish) == report)
        if killed.hasPrinted { #expect(killed.output == report && hasPhrase) }
        try killed.expectOpens(isThere ? "n" : "m", in: "b", "pair_3")
        let token = try killed.run("field seal --vault b.db --couple pair_3 --require-private", "a field")
        #expect(
            try killed.run("field open --vault a.db --couple pair_3 --require-private", token) == "a field")
        guard !isThere else { return hasPhrase ? "new" : nil }
        return killed.hasPrinted ? nil : hasPhrase ? "old, with a phrase for nothing" : "old"
    }
}

extension Killed {
    fileprivate func text(_ name: String) throws -> String {
        String(decoding: try program.content(name), as: UTF8.self)
    }

    /// What became of an invite.
    fileprivate func pairing(_ vault: String, _ couple: String) throws -> String? {
        let shown = try run("couple show --vault \(vault).db --couple \(couple) --json")
        return try JSONValue(parsing: shown.utf8.dropLast())["pairing"]?["status"]?.string
    }
}
