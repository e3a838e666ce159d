internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension ChatCommand {
    struct Renew: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew", abstract: "Print this device's chat key for a person, or take theirs.",
            discussion: """
                Run it with --to at each start of the app, and upload what it prints. It draws a key if the newest is a week old. \
                A key is deleted thirty days after its successor was drawn, and what was sealed to it opens no more.
                """)

        @Option("Print the newest key for this person.", value: "id") var to: String?
        @Flag(help: "Print the newest key for each person, one document a line.") var all = false
        @Flag(help: "With --all: one JSON object a line.") var jsonl = false
        @Flag(help: "Draw a key, however young the newest is.") var now = false
        @Option("Take the key of this person.", value: "id") var from: String?
        @Argument(file: "With --from: their document; standard input by default.") var file: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard [to != nil, from != nil, all].filter(\.self).count == 1 else {
                throw CLIError(.usage, "use one of --to, --from and --all")
            }
            guard all == jsonl, from != nil || file == nil, from == nil || !now else {
                throw CLIError(
                    .usage,
                    "--all and --jsonl go together, --now goes with --to or --all, and a file with --from")
            }
            var inputs = try Inputs([
                from == nil ? vault.inputName : .fileOrStandardInput(file), vault.inputName,
            ])
            guard let from else { return try print(&inputs) }
            let bytes = try inputs.text(file)
            let document = try FileKind.document(.chatKey).read(bytes.span) {
                try ChatKeyDocument(parsing: bytes)
            }
            let result = try Output(output, .line, inputs: inputs)
            try vault.open(&inputs).chat(with: UserID(parsing: from)).take(document)
            try result.report("", json: ["index": .number(Double(document.index))])
        }

        private func print(_ inputs: inout Inputs) throws {
            let to = try to.map { try UserID(parsing: $0) }
            let result = try Output(output, to == nil ? .line : .json, inputs: inputs)
            let vault = try vault.open(&inputs)
            guard let to else {
                let lines = try vault.renewChats(always: now).map(\.bytes)
                return try result.deliver(
                    Array(lines.joined(separator: [OutputKind.newline])), named: "documents")
            }
            try result.deliver(vault.chat(with: to).renew(always: now).bytes, named: "document")
        }
    }
}
