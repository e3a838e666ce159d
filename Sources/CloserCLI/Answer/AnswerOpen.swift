internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

// Works without a vault: it stores nothing, and reads only the files that are named.
extension AnswerCommand {
    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a sealed answer with its one-time key, or with a release and your private key.",
            discussion: """
                Its commitment is always checked. Who wrote it is checked with --couple-keyset-file.
                """)

        @OptionGroup var couple: CoupleName
        @Option(
            help: ArgumentHelp(
                "The answer's one-time key; with --release-key, your private keyset.", valueName: "file"),
            completion: .file())
        var keysetFile: String
        @Option(
            help: ArgumentHelp("What the author released to you.", valueName: "file"), completion: .file())
        var releaseKey: String?
        @Option(
            help: ArgumentHelp("The couple's keyset, to check who wrote the answer.", valueName: "file"),
            completion: .file())
        var coupleKeysetFile: String?
        @Option(
            help: ArgumentHelp("With --couple-keyset-file: where it must belong.", valueName: "place"))
        var place: String?
        @Argument(
            help: ArgumentHelp("The answer's document; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            guard place == nil || coupleKeysetFile != nil else {
                throw Failure(
                    .usage, "--place needs --couple-keyset-file: without it nobody knows the place")
            }
            let couple = try couple.id
            let place = try place.map { try AnswerPlace(parsing: $0) }
            let document = try inputs.answer(file)
            let context = try AnswerContext(
                couple: couple, question: document.questionID, author: document.userID)
            let key = try oneTimeKey(of: context, &inputs)
            let answer = UncheckedAnswer(token: document.token, commitment: document.commitment)
            guard let coupleKeysetFile else {
                let payload = try answer.open(with: key, of: context)
                return try deliver(payload, document, "unchecked", nil, inputs)
            }
            let coupleKey = try CoupleKey(try inputs.keyset(coupleKeysetFile).keyset)
            let revealed = try answer.reveal(
                with: key, of: context, at: place, pinned: nil, key: coupleKey)
            // A keyset file does not say how its keys came, so none counts as one that the server never had.
            let authenticity = revealed.authenticity(rekeyedKeyIDs: [])
            if authenticity == .unauthenticated { Messages.warn("nothing proves who wrote this answer") }
            try deliver(revealed.payload, document, authenticity.rawValue, revealed.place, inputs)
        }

        private func oneTimeKey(of context: AnswerContext, _ inputs: inout Inputs) throws -> OneTimeKey {
            let keyset = try inputs.secret(keysetFile, maximumByteCount: Keyset.maximumJSONByteCount)
            guard let releaseKey else { return try OneTimeKey(file: keyset) }
            let release = try inputs.releaseKey(releaseKey)
            guard release.senderID == context.author else { throw AnswerError.otherAnswer }
            return try OneTimeKey(
                releasedBy: release.keybox, of: context, to: release.recipientID,
                with: try KeysetFile(keyset).keyset)
        }

        private func deliver(
            _ payload: [UInt8], _ document: AnswerDocument, _ authenticity: String, _ place: AnswerPlace?,
            _ inputs: Inputs
        ) throws {
            try Sink(output, .payload, inputs: inputs).deliver(
                payload, named: "payload",
                details: AnswerCommand.details(authenticity, place, document.commitment))
        }
    }
}
