internal import ArgumentParser
internal import CloserKeys

extension ChatCommand {
    struct Open: ParsableCommand, BatchVerb {
        static let lines = "encrypted_content and iv, or field, become plaintext or plaintextBase64"
        static let configuration = CommandConfiguration(
            commandName: "open", abstract: "Open a message of one chat and give back its plaintext, verbatim."
        )

        @OptionGroup var key: ChatKeyOptions
        @OptionGroup var value: FondValueOptions
        @Argument(file: "The message; standard input by default.") var file: String?
        @OptionGroup var batch: BatchOptions<Open>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file)] + key.inputNames)
            try value.check(key.profile)
            let keys = try key.read(&inputs)
            guard !batch.jsonl else {
                let (profile, value) = (key.profile, value.of)
                return try batch.run(file, .opening(profile.members), output, inputs: &inputs) { _ in
                    { line, result in
                        let plaintext = try Self.open(with: keys) {
                            try Self.open(line, profile, value, with: $0)
                        }
                        result.append(plaintext: plaintext.span)
                    }
                }
            }
            let plaintext: [UInt8]
            do {
                let text = try inputs.text(file)
                plaintext = try Self.open(with: keys) { try Self.open(text, key.profile, value.of, with: $0) }
            } catch let error as ChatOpenError {
                throw CLIError(
                    error.words,
                    hint:
                        "this key's fingerprint is \(keys[0].fingerprint): both sides need the same profile, chat, salt and info"
                )
            }
            try Output(output, .verbatim, inputs: inputs).deliver(plaintext, named: "plaintext")
        }

        private static func open(with keys: [ChatKey], _ open: (ChatKey) throws -> [UInt8]) throws -> [UInt8]
        {
            do { return try open(keys[0]) } catch let error as ChatOpenError {
                for former in keys.dropFirst() {
                    guard let plaintext = try? open(former) else { continue }
                    Diagnostics.warn(
                        "it opened with a key of before device renew: the finder of the lost device may have written it"
                    )
                    return plaintext
                }
                throw error
            }
        }

        private static func open(
            _ text: [UInt8], _ profile: ChatKeyOptions.Profile, _ value: FondValueType, with chat: ChatKey
        ) throws -> [UInt8] {
            switch profile {
            case .fitlink:
                return try chat.open(
                    FileKind.document(.fitLinkMessage).read(text.span) { try FitLinkMessage(parsing: text) })
            case .fond:
                let plaintext = try chat.open(
                    FileKind.fondField.read(text.span) { try FondField(parsing: text) })
                try value.checkOpened(plaintext)
                return plaintext
            }
        }

        private static func open(
            _ line: borrowing BatchLine, _ profile: ChatKeyOptions.Profile, _ value: FondValueType,
            with chat: ChatKey
        ) throws -> [UInt8] {
            var texts: [[UInt8]] = []
            for member in profile.members { texts.append(try line.text(member)) }
            guard profile == .fitlink else { return try open(texts[0], profile, value, with: chat) }
            return try chat.open(
                FitLinkMessage(
                    encryptedContent: String(decoding: texts[0], as: UTF8.self),
                    iv: String(decoding: texts[1], as: UTF8.self)))
        }
    }
}
