#if CommandLine
internal import ArgumentParser

/// How the document would be written: where, by whom, and in place of what.
struct WriteOptions: ParsableArguments {
    @Option(help: "Where the server keeps the document, such as couples/couple_1.") var path: String?
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The user who writes it; without this the server writes.", valueName: "user"))
    var writer: String?
    @Option(
        help: ArgumentHelp("The document that was stored before.", valueName: "file"), completion: .file())
    var previous: String?
    @Flag(help: "The document is a part, to be merged into the previous one (RFC 7396).") var patch = false
    @Option(
        help: ArgumentHelp(
            "The document of the couple that it belongs to: a user who writes must be one of the two. At version 0 a legacy answer may be in the clear.",
            valueName: "file"),
        completion: .file())
    var couple: String?

    /// Whether who writes is asked, and not the document's form alone.
    var isWrite: Bool { writer != nil || previous != nil }

    /// In a batch each line has its own.
    func validate(isBatch: Bool) throws {
        if patch, previous == nil, !isBatch {
            throw ValidationError("The option --patch goes with --previous")
        }
        guard isBatch else { return }
        let all = [("--path", path), ("--as", writer), ("--previous", previous)]
        guard let given = all.first(where: { $0.1 != nil })?.0 else { return }
        throw ValidationError(
            "With --jsonl each line has its own \(given.dropFirst(2)), not the option \(given)")
    }
}
#endif
