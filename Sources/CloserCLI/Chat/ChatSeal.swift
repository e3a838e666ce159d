internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

extension ChatCommand {
    struct Seal: ParsableCommand, BatchVerb {
        static let lines = "plaintext or plaintextBase64 becomes encrypted_content and iv, or field"
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a plaintext for one chat.")

        @OptionGroup var key: ChatKeyOptions
        @OptionGroup var value: FondValueOptions
        @Argument(file: "The plaintext; standard input by default.") var file: String?
        @Flag(help: "fitlink, --jsonl: leave a payload in the clear.") var plain = false
        @OptionGroup var batch: BatchOptions<Seal>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file)] + key.inputNames)
            try value.check(key.profile)
            let chat = try key.read(&inputs, sealing: true)[0]
            guard !batch.jsonl else {
                let (profile, value, leavesPayload) = (key.profile, value.of, plain)
                return try batch.run(file, .sealing(into: profile.members), output, inputs: &inputs) {
                    nonces in
                    { line, result in
                        guard leavesPayload || profile == .fond || !line.has(.init("payload")) else {
                            throw CLIError(
                                .inputRequired, "this line has a payload, which would stay in the clear",
                                hint:
                                    "seal it as a bound message, with chat send --payload, or allow it: --plain"
                            )
                        }
                        let plaintext = try line.plaintext()
                        result.append(try Self.members(of: plaintext, profile, value, under: chat, nonces))
                    }
                }
            }
            let plaintext = try inputs.bytes(file, maximumByteCount: ChatKey.maximumPlaintextByteCount)
            switch key.profile {
            case .fitlink:
                let message = try chat.seal(message: plaintext)
                try Output(output, .json, inputs: inputs).deliver(message.bytes, named: "message")
            case .fond:
                let field = try chat.seal(field: try value.of.normalized(plaintext))
                try Output(output, .line, inputs: inputs).deliver(field.text, named: "field")
            }
        }

        private static func members(
            of plaintext: [UInt8], _ profile: ChatKeyOptions.Profile, _ value: FondValueType,
            under chat: ChatKey, _ nonces: Randomness
        ) throws -> [JSONValue.Member] {
            switch profile {
            case .fitlink: return try chat.seal(message: plaintext, from: nonces).members
            case .fond:
                let field = try chat.seal(field: try value.normalized(plaintext), from: nonces)
                return [.init("field", .string(String(decoding: field.text, as: UTF8.self)))]
            }
        }
    }
}
