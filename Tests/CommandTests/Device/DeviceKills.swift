import Testing

extension KillScene {
    static let devices = [
        KillScene(
            "device init", "device init --vault n.db --user carol --key-file n.key", vault: "n.db", weight: 3
        ) { killed in
            let again = try killed.program("device init --vault n.db --user carol --key-file n.key")
            let new = try newState(killed)
            let shown = try killed.run("device show --vault n.db")
            #expect(shown.hasPrefix("userId: carol\n") && shown.hasSuffix("changes: 1\n"))
            if killed.hasPrinted, !killed.isWarned { #expect(shown == killed.output) }
            switch (again.exit, killed.hasPrinted) {
            case (0, false): return "old"
            case (7, _): return new
            default: return nil
            }
        },
        anotherKeyFile(), anotherKeyFile(" --new-vault-key"), renewal,
        KillScene(
            "device passphrase", "device passphrase --vault a.db --new-passphrase-file words", vault: "a.db",
            weight: 1
        ) { killed in
            let keyFile = try killed.program("device show --vault a.db --no-input").exit
            let lock = keyFile == 0 ? "" : "--passphrase-file words"
            try killed.run("field open --vault a.db --couple c token \(lock)")
            switch (keyFile, killed.hasPrinted) {
            case (0, false): return "old"
            case (7, _): return "new"
            default: return nil
            }
        },
        KillScene(
            "device import",
            "device import export --vault n.db --export-passphrase-file words --key-file n.key",
            vault: "n.db", weight: 1
        ) { killed in
            let again = try killed.program(
                "device import export --vault n.db --export-passphrase-file words --key-file n.key")
            let new = try newState(killed)
            try killed.expectFieldOpens(in: "n")
            let document = try killed.run("answer status --vault n.db --couple c --question q --document")
            #expect(try document == killed.base.text("a-q"))
            switch (again.exit, killed.hasPrinted) {
            case (0, false): return "old"
            case (7, _): return new
            default: return nil
            }
        },
        KillScene(
            "device join", "device join --vault a.db --key-file n.key --code-file link-code link",
            vault: "a.db",
            weight: 3
        ) { killed in
            let hadKey = try killed.has("n.key")
            let isNoted = try killed.run("device show --vault a.db --json").contains("n.key")
            try killed.run("device join --vault a.db --key-file n.key --code-file link-code link")
            #expect(try killed.program.content("n.key") == killed.program.content("a.key"))
            #expect(try killed.run("device show --vault a.db --json").contains("n.key"))
            try killed.expectFieldOpens(in: "a")
            switch (hadKey, isNoted, killed.hasPrinted) {
            case (false, false, false): return "old"
            case (true, true, _): return "new"
            case (true, false, _) where !killed.hasPrinted || killed.isWarned:
                return "new without the note of its key file"
            default: return nil
            }
        },
        // `g.db` is older than what this machine saw of it.
        KillScene("device accept-older", "device accept-older --vault g.db", vault: "g.db", weight: 2) {
            killed in
            let list = try killed.program("couple status --vault g.db").exit
            try killed.run("device accept-older --vault g.db")
            try killed.run("couple status --vault g.db")
            switch (list, killed.hasPrinted) {
            case (8, false): return "old"
            case (0, _): return "new"
            default: return nil
            }
        },
    ]

    private static let renewal: KillScene = {
        let command = "device renew --vault a.db --new-key-file n.key --yes"
        return KillScene("device renew", command, vault: "a.db", weight: 3) { killed in
            let (old, new) = (
                try killed.program("device show --vault a.db --key-file a.key").exit,
                try killed.program("device show --vault a.db --key-file n.key").exit
            )
            try killed.run(command)
            try killed.run("device show --vault a.db --key-file a.key", exit: 3)
            #expect(try killed.program("device show --vault a.db").exit == 0)
            try killed.expectFieldOpens(in: "a")
            switch (old, new, killed.hasPrinted) {
            case (0, 3, false), (0, 66, false): return "old"
            case (3, 0, _): return "new"
            default: return nil
            }
        }
    }()

    private static func anotherKeyFile(_ option: String = "") -> KillScene {
        let command = "device passphrase --vault a.db --new-key-file n.key\(option)"
        return KillScene("another key file\(option)", command, vault: "a.db", weight: 3) { killed in
            let (old, new) = (
                try killed.program("device show --vault a.db --key-file a.key").exit,
                try killed.program("device show --vault a.db --key-file n.key").exit
            )
            try killed.expectFieldOpens(in: "a")
            // Once it is done, a new vault key wants another key file still.
            if new != 0 || option.isEmpty { try killed.run(command) }
            try killed.run("device show --vault a.db --key-file n.key")
            switch (old, new, killed.hasPrinted) {
            case (0, 3, false), (0, 66, false): return "old"
            case (3, 0, _): return "new"
            default: return nil
            }
        }
    }

    /// A kill between the appearance of a vault and the note of its key file leaves a vault that this machine does not
    /// remember. Naming the key file once opens it, and is remembered.
    private static func newState(_ killed: Killed) throws -> String {
        guard try killed.program("device show --vault n.db").exit == 7 else { return "new" }
        #expect(!killed.hasPrinted || killed.isWarned)
        try killed.run("device show --vault n.db --key-file n.key")
        return "new without the note of its key file"
    }
}
