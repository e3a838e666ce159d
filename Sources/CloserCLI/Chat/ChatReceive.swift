internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension ChatCommand {
    struct Receive: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "receive", abstract: "Open a message that a person sent, and count it.",
            discussion: """
                A message that was received before ends with exit code 1; --peek shows it again. With --to and --peek it opens one \
                of this device's own.
                """)

        @Option("Who wrote it.", value: "id") var from: String
        @Option("With --peek: to whom this device's user wrote it.", value: "id") var to: String?
        @Option("The id under which it was found.", value: "id") var id: String?
        @Flag(help: "Look at it, also at a preview, and count nothing.") var peek = false
        @Argument(file: "The message; standard input by default.") var file: String?
        @Flag(
            help:
                "One JSON object a line: id and encrypted_content become the message; with sender_id also this device's own."
        )
        var jsonl = false
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file), vault.inputName])
            guard jsonl || id != nil else {
                throw CLIError(
                    .usage, "missing expected argument '--id <id>'", hint: "or receive many with --jsonl")
            }
            guard to == nil || peek && !jsonl, !jsonl || id == nil else {
                throw CLIError(.usage, "--to goes with --peek and --id; with --jsonl each line has its id")
            }
            let from = try UserID(parsing: from)
            let partner = try to.map { try UserID(parsing: $0) } ?? from
            guard let id else { return try receiveMany(&inputs, from: partner) }
            let (message, text) = (try MessageID(parsing: id), try inputs.text(file))
            let token = try ChatToken.read(text)
            let result = try Output(output, .verbatim, inputs: inputs)
            let chat = try vault.open(&inputs).chat(with: partner)
            guard !peek else {
                let opened = try chat.peek(token, id: message, from: from)
                return try result.deliver(Array(opened.body.utf8), named: "body", details: opened.details)
            }
            let received = try chat.receive(token, id: message)
            for gap in received.missing {
                Diagnostics.warn("messages are missing: \(gap.lowerBound) to \(gap.upperBound) of theirs")
            }
            guard received.isNew else { throw ChatError.repeated }
            let details = received.message.details + received.verdict
            do {
                try result.deliver(Array(received.message.body.utf8), named: "body", details: details)
            } catch let error as CLIError where error.id == .inputRequired {
                throw error.hinting("it was received: look at it again with --peek, and name a file with -o")
            }
        }

        private func receiveMany(_ inputs: inout Inputs, from partner: UserID) throws {
            let vault = try vault.open(&inputs)
            let (chat, peeks) = (try vault.chat(with: partner), peek)
            try VaultBatchOptions().run(file, .messages, output, inputs: &inputs, changing: vault) { _ in
                { line, result in
                    let id = try MessageID(parsing: line.string(.id))
                    let token = try ChatToken.read(line.text(.content))
                    let sender = line.has(.sender) ? try UserID(parsing: line.string(.sender)) : partner
                    let (message, verdict): (ChatMessage, [JSONValue.Member])
                    if peeks || sender != partner {
                        (message, verdict) = (try chat.peek(token, id: id, from: sender), [])
                    } else {
                        let received = try chat.receive(token, id: id)
                        (message, verdict) = (received.message, received.verdict)
                    }
                    result.append([.init("body", .string(message.body))] + message.details + verdict)
                }
            }
        }
    }
}

extension BatchShape {
    fileprivate static let messages = BatchShape(
        consumed: [.content] + ["iv", "type", "payload", "reply_to"].map(JSONLine.Name.init),
        produced: (["body"] + ChatMessage.detailNames + Vault.Chat.Received.verdictNames).map(
            JSONLine.Name.init),
        takesBareLine: false, isSecret: false)
}

extension JSONLine.Name {
    fileprivate static let id = Self("id")
    fileprivate static let content = Self("encrypted_content")
    fileprivate static let sender = Self("sender_id")
}

extension ChatToken {
    fileprivate static func read(_ text: [UInt8]) throws -> ChatToken {
        do throws(TokenError) { return try ChatToken(reading: text) } catch {
            throw CLIError(error, noun: "message of a chat")
        }
    }
}

extension BatchLine {
    fileprivate func string(_ name: JSONLine.Name) throws -> String {
        String(decoding: try text(name), as: UTF8.self)
    }
}

extension ChatMessage {
    fileprivate static let detailNames = [
        "kind", "known", "n", "at", "seen", "replyTo", "expires", "cut", "payload",
    ]

    /// What `--json` shows beside the body.
    fileprivate var details: [JSONValue.Member] {
        var members = shown.filter { $0.name != "body" }
        members.append(.init("known", .bool(kind.isKnown)))
        return members
    }
}

extension Vault.Chat.Received {
    fileprivate static let verdictNames = ["new", "missing", "seenByThem", "verified"]

    fileprivate var verdict: [JSONValue.Member] {
        [
            .init("new", .bool(isNew)), .init("missing", .ranges(missing)),
            .init("seenByThem", seenByThem.map { .number(Double($0)) } ?? .null),
            .init("verified", .bool(isVerified)),
        ]
    }
}
