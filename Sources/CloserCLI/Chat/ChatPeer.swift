internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension ChatCommand {
    struct Peer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "peer", abstract: "Pin the key of a person, compare digits, or show the chat.",
            discussion: """
                The first key of a person is pinned. With --digits or --scanned it compares: if they are equal, the key is verified, \
                also in the place of another one; otherwise the exit code is 1. A pairing's key is verified.
                """)

        @Option("The other person's user id.", value: "id") var partner: String
        @Option("Their X25519 public key, base64.", value: "key") var peerKey: String?
        @OptionGroup var comparison: SafetyNumberComparison
        @OptionGroup var picture: SafetyNumberPicture
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.file(comparison.scanned), vault.inputName])
            try picture.check(output, comparison)
            let (partner, key) = (
                try UserID(parsing: partner), try peerKey.map { try X25519PublicKey(parsing: $0) }
            )
            let theirs = try comparison.read(&inputs)
            let vault = try vault.open(&inputs)
            if let theirs {
                try vault.verify(chatWith: partner, key: key, against: theirs)
            } else if let key, try vault.pin(key, of: partner) {
                Diagnostics.note(
                    "the key is pinned: from now on another one is refused",
                    next: NextCommand.line("chat peer --partner \(partner.text) --digits DIGITS"))
            }
            let (chat, number) = (
                try vault.chat(with: partner), try vault.safetyNumber(ofChatWith: partner)
            )
            guard !picture.qr, picture.qrFile == nil else {
                return try picture.deliver(number, output, inputs: inputs)
            }
            try Output(output, .line, inputs: inputs).report(try chat.state.members(of: chat, number))
        }
    }
}

extension Vault.Chat.State {
    fileprivate func members(of chat: Vault.Chat, _ number: SafetyNumber) -> [JSONValue.Member] {
        func index(_ index: UInt32?) -> JSONValue { index.map { .number(Double($0)) } ?? .null }
        return [
            .init("partner", .string(chat.partner.text)), .init("chat", .string(chat.id.text)),
            .init("peerKey", .string(key.description)), .init("verified", .bool(isVerified)),
            .init("bound", .bool(speaksBound)), .init("ourKey", index(keyIndices.ours)),
            .init("theirKey", index(keyIndices.theirs)), .init("sent", .number(Double(numbers.sent))),
            .init("seenByThem", .number(Double(numbers.seenByThem))), .init("seen", .ranges(seen)),
            .init("safetyNumber", .string(number.description)),
        ]
    }
}
