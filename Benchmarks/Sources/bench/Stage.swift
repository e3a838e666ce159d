import Foundation

/// Commands of `closer-keys`, with the files that they need.
struct Stage {
    let program: String
    private let folder: String

    /// Makes what they need, with the program itself.
    init(_ program: String, in folder: String) throws {
        (self.program, self.folder) = (program, folder)
        // What is remembered of a vault goes with its folder.
        setenv("XDG_STATE_HOME", folder, 1)
        try write(Message.field.plaintext, to: plaintext)
        try command(["keyset", "new", "--type", "aes256-gcm", "-o", file("keyset")]).run()
        try fieldSeal.run(output: token)
    }

    var version: Command { command(["version"]) }
    var fieldOpen: Command { command(["field", "open"] + keyset + couple + [token]) }
    var fieldSeal: Command { command(["field", "seal"] + keyset + couple + [plaintext]) }
    var empty: Command { Command(arguments: [Self.besideBench("empty")]) }
    /// Answers every case of the operation `canonical` at once.
    var answerer: Command { Command(arguments: [Self.besideBench("answerer"), "canonical"]) }

    /// A program of Benchmarks that is built beside this one.
    private static func besideBench(_ name: String) -> String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
    }

    /// Seals and opens so many lines, each with a field of 64 bytes.
    func batch(_ count: Int) throws -> (seal: Command, open: Command) {
        let (lines, sealed) = (file("lines-\(count)"), file("sealed-\(count)"))
        let text = String(decoding: Message.field.plaintext, as: UTF8.self)
        try write(
            (0..<count).map { #"{"id":\#($0),"plaintext":"\#(text)"}"# + "\n" }.joined().utf8, to: lines)
        let seal = command(["field", "seal", "--jsonl"] + keyset + couple + [lines])
        try seal.run(output: sealed)
        return (seal, command(["field", "open", "--jsonl"] + keyset + couple + [sealed]))
    }

    func command(_ arguments: [String]) -> Command { Command(arguments: [program] + arguments) }
    func file(_ name: String) -> String { folder + "/" + name }

    func write(_ bytes: some Sequence<UInt8>, to file: String) throws {
        try Data(bytes).write(to: URL(filePath: file))
    }

    private var plaintext: String { file("plaintext") }
    private var token: String { file("token") }
    private var keyset: [String] { ["--keyset-file", file("keyset")] }
    private let couple = ["--couple", "couple-7Qm2VbXh1L"]
}
