import CloserWire
import Testing

extension KillScene {
    private static let rekey = "couple rekey --vault a.db --couple verified --partner bob"
    private static let accept = "couple rekey --vault b.db --couple rekeyed --partner alice --accept rekey"

    static let rekeys = [
        KillScene(
            "couple verify",
            "couple verify --vault a.db --couple c --partner bob --partner-key BOBS_KEY --digits DIGITS",
            vault: "a.db", weight: 2
        ) { killed in
            let before = try couple(killed, "a", "c")["state"]?.string
            try killed.expectFieldOpens(in: "a")
            switch (before, killed.hasPrinted) {
            case ("serverKnown", false): return "old"
            case ("verified", _): return "new"
            default: return nil
            }
        },
        KillScene(
            "couple rekey", "\(rekey) --phrase-file n", vault: "a.db", weight: 3, check: sent),
        KillScene("couple rekey --accept", "\(accept) --phrase-file n", vault: "b.db", weight: 3) { killed in
            let before = try couple(killed, "b", "rekeyed")["state"]?.string
            let hasPhrase = try killed.has("n")
            let again = try killed.program("\(accept) --phrase-file m").exit
            try expectShared(killed, "rekeyed")
            switch (before, again, killed.hasPrinted) {
            case ("verified", 0, false): return hasPhrase ? "old, with a phrase for nothing" : "old"
            case ("rekeyed", 0, _) where hasPhrase:
                try killed.expectOpens("n", in: "b", "rekeyed")
                return "new"
            default: return nil
            }
        },
        KillScene(
            "couple retire", "couple retire --vault a.db --couple rekeyed --key-id OLD_KEY --yes",
            vault: "a.db", weight: 2
        ) { killed in
            let count = try couple(killed, "a", "rekeyed")["keys"]?.array?.count
            try killed.run("\(accept) --phrase-file m")
            try expectShared(killed, "rekeyed")
            switch (count, killed.hasPrinted) {
            case (2, false): return "old"
            case (1, _): return "new"
            default: return nil
            }
        },
    ]

    /// The partner never sees two rekeys of one number, and a rekey that was made has its phrase.
    @Sendable private static func sent(_ killed: Killed) throws -> String? {
        let isNew = try couple(killed, "a", "verified")["state"]?.string == "rekeyed"
        let hasPhrase = try killed.has("n")
        let again = try killed.run("\(rekey) --phrase-file m")
        if killed.hasPrinted { #expect(again == killed.output && hasPhrase) }
        try killed.run(
            "couple rekey --vault b.db --couple verified --partner alice --accept --phrase-file k", again)
        try expectShared(killed, "verified")
        guard isNew else {
            try killed.expectOpens("m", in: "a", "verified")
            return killed.hasPrinted ? nil : hasPhrase ? "old, with a phrase for nothing" : "old"
        }
        guard hasPhrase else { return nil }
        try killed.expectOpens("n", in: "a", "verified")
        return "new"
    }

    private static func couple(_ killed: Killed, _ vault: String, _ name: String) throws -> JSONValue {
        let shown = try killed.run("couple show --vault \(vault).db --couple \(name) --json")
        return try JSONValue(parsing: shown.utf8.dropLast())
    }

    /// Both devices hold the key that the server never saw.
    private static func expectShared(_ killed: Killed, _ couple: String) throws {
        let options = "--couple \(couple) --require-private"
        for (ours, theirs) in [("a", "b"), ("b", "a")] {
            let token = try killed.run("field seal --vault \(ours).db \(options)", "a field of \(ours)")
            let field = try killed.run("field open --vault \(theirs).db \(options)", token)
            #expect(field == "a field of \(ours)")
        }
    }
}
