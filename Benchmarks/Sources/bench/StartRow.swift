import Foundation

/// From start to finish of one `closer-keys field open` with a keyset file, as a script pays it.
enum StartRow {
    static func row(program: String) throws -> Row {
        let version = Command(arguments: [program, "version"])
        let nothing = Command(arguments: ["true"])
        return try ScratchFolder.with { folder in
            let open = try fieldOpen(program, in: folder)
            return try Row(
                "start to finish of field open", Start(name: "closer-keys", command: open), .time(8000),
                against: [
                    (Start(name: "its version command", command: version), nil),
                    (Start(name: "true, which does nothing", command: nothing), nil),
                ])
        }
    }

    /// The files it needs are made with the program itself.
    private static func fieldOpen(_ program: String, in folder: String) throws -> Command {
        let (keyset, plaintext, token) = (folder + "/keyset", folder + "/plaintext", folder + "/token")
        let key = ["--keyset-file", keyset, "--couple", "couple-7Qm2VbXh1L"]
        try Data(Message.field.plaintext).write(to: URL(filePath: plaintext))
        try Command(arguments: [program, "keyset", "new", "--type", "aes256-gcm", "-o", keyset]).run()
        try Command(arguments: [program, "field", "seal"] + key + ["-o", token, plaintext]).run()
        return Command(arguments: [program, "field", "open"] + key + [token])
    }
}

/// A process, from spawn to exit.
private struct Start: Contestant {
    let name: String
    let command: Command

    func run(_ times: Int) throws { try command.run(times: times) }
}
