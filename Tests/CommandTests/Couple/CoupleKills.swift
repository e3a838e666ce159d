import Testing

extension KillScene {
    static let couples = [
        KillScene(
            "couple create", "couple create --vault f.db --couple new --phrase-file n", vault: "f.db",
            weight: 4, check: created),
        KillScene(
            "couple join", "couple join --vault f.db --couple c", vault: "f.db", input: "invite", weight: 2
        ) { try entered($0, again: "couple join --vault f.db --couple c", "invite") },
        KillScene(
            "couple recover", "couple recover --vault f.db --couple c --phrase-file phrase", vault: "f.db",
            input: "couple", weight: 2
        ) { try entered($0, again: "couple recover --vault f.db --couple c --phrase-file phrase", "couple") },
        KillScene(
            "couple rewrap", "couple rewrap --vault a.db --couple c --phrase-file n", vault: "a.db",
            weight: 3, check: rewrapped),
        KillScene(
            "couple forget", "couple forget --vault a.db --couple c --yes", vault: "a.db", weight: 3
        ) { killed in
            let show = try killed.program("couple show --vault a.db --couple c").exit
            let answer = try killed.program("answer status --vault a.db --couple c --question q --document")
            try killed.run("couple forget --vault a.db --couple c --yes", exit: show)
            try killed.run("couple recover --vault a.db --couple c --phrase-file phrase couple")
            try killed.expectFieldOpens(in: "a")
            try killed.run("answer status --vault a.db --couple c --question q --document", exit: 8)
            switch (show, answer.exit, killed.hasPrinted) {
            case (0, 0, false): return try answer.text == killed.base.text("a-q") ? "old" : nil
            case (4, 4, _): return "new"
            default: return nil
            }
        },
    ]

    /// A kill between the appearance of the phrase and the change of the vault leaves a phrase that opens nothing. There is no couple
    /// without its phrase.
    @Sendable private static func created(_ killed: Killed) throws -> String? {
        let isThere = try killed.program("couple show --vault f.db --couple new").exit == 0
        let hasPhrase = try killed.has("n")
        guard isThere else {
            try killed.run("couple create --vault f.db --couple new --phrase-file \(hasPhrase ? "m" : "n")")
            return killed.hasPrinted ? nil : hasPhrase ? "old, with a phrase for nothing" : "old"
        }
        try killed.run("couple create --vault f.db --couple new --phrase-file m", exit: 7)
        let invite = try killed.run("couple show --vault f.db --couple new --invite")
        // The line feed behind a secret is written by itself.
        if killed.hasPrinted { #expect([killed.output, "\(killed.output)\n"].contains(invite) && hasPhrase) }
        let token = try killed.run("field seal --vault f.db --couple new", "a field")
        guard hasPhrase else { return nil }
        try killed.expectOpens("n", in: "f", "new")
        try killed.run("couple join --vault b.db --couple new", invite)
        #expect(try killed.run("field open --vault b.db --couple new", token) == "a field")
        return "new"
    }

    private static func entered(_ killed: Killed, again: String, _ input: String) throws -> String? {
        let isThere = try killed.program("couple show --vault f.db --couple c").exit == 0
        if isThere { try killed.expectFieldOpens(in: "f") }
        try killed.run(again, killed.base.text(input))
        try killed.expectFieldOpens(in: "f")
        return isThere ? "new" : killed.hasPrinted ? nil : "old"
    }

    /// Here, too, the new phrase may be there for nothing. Then the old one still opens the vault's document.
    @Sendable private static func rewrapped(_ killed: Killed) throws -> String? {
        try killed.expectFieldOpens(in: "a")
        let hasPhrase = try killed.has("n")
        let document = try killed.run("couple show --vault a.db --couple c --document")
        let isOld = try document == killed.base.text("couple")
        if killed.hasPrinted { #expect(document == killed.output && hasPhrase) }
        if hasPhrase || isOld { try killed.expectOpens(isOld ? "phrase" : "n", in: "a") }
        try killed.run("couple rewrap --vault a.db --couple c --phrase-file m")
        try killed.expectOpens("m", in: "a")
        guard isOld else { return hasPhrase ? "new" : nil }
        return killed.hasPrinted ? nil : hasPhrase ? "old, with a phrase for nothing" : "old"
    }
}
