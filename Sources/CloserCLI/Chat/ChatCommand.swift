internal import ArgumentParser
internal import CloserKeys
internal import CloserWire

struct ChatCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Seal and open the messages of FitLink and Fond.",
        discussion: """
            A message that a server returns to its author, repeats or reorders opens all the same: these formats cannot \
            tell.
            """,
        subcommands: [Seal.self, Open.self])

    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a plaintext for one chat.")

        @OptionGroup var key: ChatKeyOptions
        @OptionGroup var value: FondValueOptions
        @Argument(
            help: ArgumentHelp("The plaintext; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var batch: BatchOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file)] + key.privateKey.inputNames)
            try value.check(key.profile)
            let chat = try key.read(&inputs)
            guard !batch.jsonl else {
                let shape = BatchShape.sealing(into: key.profile.members)
                return try batch.run(file, shape, output, inputs: &inputs) { line in
                    try members(of: try line.plaintext(), under: chat)
                }
            }
            let plaintext = try inputs.bytes(file, maximumByteCount: ChatKey.maximumPlaintextByteCount)
            switch key.profile {
            case .fitlink:
                let message = try chat.seal(message: plaintext)
                try Sink(output, .json, inputs: inputs).deliver(message.bytes, named: "message")
            case .fond:
                let field = try chat.seal(field: try value.normalized(plaintext))
                try Sink(output, .line, inputs: inputs).deliver(field.text, named: "field")
            }
        }

        private func members(of plaintext: [UInt8], under chat: ChatKey) throws -> [JSONValue.Member] {
            switch key.profile {
            case .fitlink: return try chat.seal(message: plaintext).members
            case .fond:
                let field = try chat.seal(field: try value.normalized(plaintext))
                return [.init("field", .string(String(decoding: field.text, as: UTF8.self)))]
            }
        }
    }

    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open", abstract: "Open a message of one chat and give back its plaintext, verbatim."
        )

        @OptionGroup var key: ChatKeyOptions
        @OptionGroup var value: FondValueOptions
        @Argument(
            help: ArgumentHelp("The message; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var batch: BatchOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file)] + key.privateKey.inputNames)
            try value.check(key.profile)
            let chat = try key.read(&inputs)
            guard !batch.jsonl else {
                return try batch.run(file, .opening(key.profile.members), output, inputs: &inputs) { line in
                    .plaintext(try open(line, with: chat))
                }
            }
            let plaintext = try open(try inputs.text(file), with: chat)
            try Sink(output, .verbatim, inputs: inputs).deliver(plaintext, named: "plaintext")
        }

        private func open(_ text: [UInt8], with chat: ChatKey) throws -> [UInt8] {
            switch key.profile {
            case .fitlink:
                return try chat.open(
                    Likeness.fitLinkMessage.read(text.span) { try FitLinkMessage(parsing: text) })
            case .fond:
                let plaintext = try chat.open(
                    Likeness.fondField.read(text.span) { try FondField(parsing: text) })
                try value.checkOpened(plaintext)
                return plaintext
            }
        }

        private func open(_ line: BatchLine, with chat: ChatKey) throws -> [UInt8] {
            let texts = try key.profile.members.map { try line.text($0) }
            guard key.profile == .fitlink else { return try open(texts[0], with: chat) }
            return try chat.open(
                FitLinkMessage(
                    encryptedContent: String(decoding: texts[0], as: UTF8.self),
                    iv: String(decoding: texts[1], as: UTF8.self)))
        }
    }
}

extension Failure {
    init(_ error: ChatSealError) { self.init(.limit, error) }

    init(_ error: ChatOpenError) { self.init(.authFailed, error) }

    init(_ error: ChatFormatError) { self.init(.malformed, error) }
}
