internal import ArgumentParser
internal import CloserWire

/// How the document would be written: where, by whom, and in place of what.
struct WriteOptions: ParsableArguments {
    @Option(help: "Its path on the server, such as couples/couple_1.") var path: String?
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The user who writes it.", valueName: "user"))
    var writer: String?
    @Flag(name: .customLong("as-server"), help: "The server itself writes it.") var isByServer = false
    @Option(file: "The document that was stored before.") var previous: String?
    @Flag(help: "It is a part, to be merged into --previous (RFC 7396).") var patch = false
    @Option(file: "The couple's document: only its userIds write answers, releases, rekeys and game slots.")
    var couple: String?

    @Option(
        help: ArgumentHelp(
            "A member that may hold text in the clear; repeatable.", valueName: "name"))
    var alsoText: [String] = []

    /// In a batch each line has its own.
    func check(isBatch: Bool) throws {
        guard isBatch else {
            guard !patch || previous != nil else { throw CLIError(.usage, "--patch goes with --previous") }
            guard writer == nil || !isByServer else {
                throw CLIError(.usage, "--as and --as-server are two writers")
            }
            guard previous == nil || writer != nil || isByServer else {
                throw CLIError(
                    .usage, "--previous needs to know who writes", hint: "add --as USER or --as-server")
            }
            return
        }
        let given = [("path", path), ("as", writer ?? (isByServer ? "" : nil)), ("previous", previous)]
            .first { $0.1 != nil }?.0
        guard let given else { return }
        throw CLIError(.usage, "with --jsonl each line has its own \(given): the member \(given)")
    }
}
