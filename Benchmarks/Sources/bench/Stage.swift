import Foundation

/// Commands of `closer-keys`, with the files and the vault that they need.
struct Stage {
    private let program: String
    private let folder: String

    /// Makes what they need, with the program itself.
    init(_ program: String, in folder: String) throws {
        (self.program, self.folder) = (program, folder)
        // What is remembered of the vault goes with its folder.
        setenv("XDG_STATE_HOME", folder, 1)
        try write(String(decoding: Message.field.plaintext, as: UTF8.self), to: plaintext)
        try write(#"{"text":"the river path at dusk"}"#, to: answer)
        try command(["keyset", "new", "--type", "aes256-gcm", "-o", file("keyset")]).run()
        try fieldSeal.run(output: token)
        try command(["device", "init", "--user", "user-Ana93", "--key-file", file("vault.key")] + vault).run()
        try command(["couple", "create", "--phrase-file", file("phrase")] + vault + couple).silenced.run()
    }

    var version: Command { command(["version"]) }
    var fieldOpen: Command { command(["field", "open"] + keyset + couple + [token]) }
    var fieldSeal: Command { command(["field", "seal"] + keyset + couple + [plaintext]) }
    var fieldSealWithVault: Command { command(["field", "seal"] + vault + couple + [plaintext]) }
    /// Replaces the answer of the one before.
    var answerSeal: Command { command(["answer", "seal", "--replace"] + vault + couple + place + [answer]) }
    /// A file beside the vault, free to be written.
    var page: String { file("page") }

    private var plaintext: String { file("plaintext") }
    private var token: String { file("token") }
    private var answer: String { file("answer") }
    private var keyset: [String] { ["--keyset-file", file("keyset")] }
    private var vault: [String] { ["--vault", file("vault")] }
    private let couple = ["--couple", "couple-7Qm2VbXh1L"]
    private let place = ["--question", "q-2026-03-14", "--place", "daily:2026-03-14"]

    private func command(_ arguments: [String]) -> Command { Command(arguments: [program] + arguments) }

    private func file(_ name: String) -> String { folder + "/" + name }

    private func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
    }
}
