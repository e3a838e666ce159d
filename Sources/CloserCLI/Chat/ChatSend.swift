internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension ChatCommand {
    struct Send: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "send", abstract: "Seal a message to a person, bound to its chat, author and id.",
            discussion: """
                The same --id again takes the same number: after a kill, send the message again under its id.
                """)

        @Option("The other person's user id.", value: "id") var to: String
        @Option("The message's id, which the app drew.", value: "id") var id: String
        @Option(
            help: ArgumentHelp(
                "What it is, such as image, voice, reaction, edit, delete or receipt.", valueName: "kind"))
        var kind = "text"
        @Option("The message that it is about.", value: "id") var replyTo: String?
        @Option("How long readers show it: \(TimeSpan.words).", value: "time") var expiresIn: TimeSpan?
        @Option(file: "A JSON object that goes with it, such as an attachment.") var payload: String?
        @Option("Also seal a preview, whose token has at most so many characters.", value: "characters")
        var preview: Int?
        @Argument(file: "The text; standard input by default.") var file: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file), .file(payload), vault.inputName])
            let (partner, id) = (try UserID(parsing: to), try MessageID(parsing: id))
            let draft = try draft(&inputs)
            let result = try Output(output, .json, inputs: inputs)
            let sent = try vault.open(&inputs).chat(with: partner).send(draft, id: id, previewCount: preview)
            let (ours, theirs) = (sent.keyAges.ours / 86_400, sent.keyAges.theirs / 86_400)
            Diagnostics.note("age of the chat keys in days: ours \(ours), theirs \(theirs)")
            var members: [JSONValue.Member] = [.init("encrypted_content", .string(sent.token.description))]
            if let preview = sent.preview { members.append(.init("preview", .string(preview.description))) }
            try result.deliver(JSONValue.object(members).bytes, named: "message")
        }

        private func draft(_ inputs: inout Inputs) throws -> Vault.Chat.Draft {
            let kind = try ChatMessage.Kind(parsing: kind)
            let body = try inputs.bytes(file, maximumByteCount: ChatMessage.maximumByteCount)
            guard let text = String(utf8: body) else {
                throw CLIError(.malformed, "a message's text is UTF-8")
            }
            var draft = Vault.Chat.Draft(kind, text)
            if let replyTo { draft = draft.replying(to: try MessageID(parsing: replyTo)) }
            if let expiresIn {
                draft = draft.expiring(at: Timestamp.now.advanced(by: .seconds(expiresIn.seconds)))
            }
            guard let payload else { return draft }
            return draft.payload(try inputs.bytes(payload, maximumByteCount: ChatMessage.maximumByteCount))
        }
    }
}
