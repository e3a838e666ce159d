internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

// Works without a vault, on the named files.
extension AnswerCommand {
    struct Open: ParsableCommand, BatchVerb {
        static let lines = "answer and releaseKey become payload"
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Open a sealed answer with its one-time key, or with a release and your private key.",
            discussion: """
                Its commitment is always checked. Who wrote it is checked with --couple-keyset-file.
                """)

        @Option("The couple; by default $CLOSER_KEYS_COUPLE.", value: "id") var couple: String?
        @Option(file: "The answer's one-time key; with --release, your private keyset.")
        var keysetFile: String
        @Option(file: "What the author released to you.") var release: String?
        @Option(file: "The couple's keyset, to check who wrote the answer.") var coupleKeysetFile: String?
        @Option("With --couple-keyset-file: the day or thread that it must belong to.", value: "place")
        var place: String?
        @Flag(help: AnswerCommand.answerOnly) var answerOnly = false
        @Argument(file: "The answer's document; standard input by default.") var file: String?
        @OptionGroup var batch: BatchOptions<Open>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard place == nil || coupleKeysetFile != nil else {
                throw CLIError(
                    .usage, "--place needs --couple-keyset-file, which proves the place")
            }
            guard !batch.jsonl || release == nil else {
                throw CLIError(.usage, "with --jsonl each line has its own releaseKey")
            }
            var inputs = try Inputs([
                .file(keysetFile), .file(release), .file(coupleKeysetFile), .fileOrStandardInput(file),
            ])
            let couple = try CoupleID.needed(couple)
            let place = try place.map { try AnswerPlace(parsing: $0) }
            let keyset = try inputs.secret(keysetFile, maximumByteCount: Keyset.maximumJSONByteCount)
            let coupleKey = try coupleKeysetFile.map { path in
                try inputs.keyset(path).keyset.use { try CoupleKey($0) }
            }
            let opener = AnswerOpener(
                couple: couple, place: place, coupleKey: coupleKey, answerOnly: answerOnly)
            guard !batch.jsonl else {
                let ours = try KeysetFile(keyset).keyset
                return try batch.open(file, with: opener, ours, output, inputs: &inputs)
            }
            let document = try inputs.answer(file)
            let key = try oneTimeKey(of: document, opener, keyset, &inputs)
            let opened = try opener.open(document, with: key)
            if opened.isUnauthenticated { Diagnostics.warn("nothing proves who wrote this answer") }
            try Output(output, .payload, inputs: inputs).deliver(
                opened.payload, named: "payload", details: opened.details)
        }

        private func oneTimeKey(
            of document: AnswerDocument, _ opener: AnswerOpener, _ keyset: borrowing SecretBytes,
            _ inputs: inout Inputs
        ) throws -> OneTimeKey {
            guard let release else {
                do { return try OneTimeKey(file: keyset) } catch KeysetError.wrongKind {
                    return try KeysetFile(keyset).keyset.use { try OneTimeKey($0) }
                }
            }
            let theirs = try inputs.releaseKey(release)
            return try opener.key(of: document, in: theirs, with: try KeysetFile(keyset).keyset)
        }
    }
}

/// Opens answers with keys from files.
struct AnswerOpener {
    let couple: CoupleID
    /// Where an answer must belong; nil to leave that open.
    let place: AnswerPlace?
    /// The key that proves who wrote an answer.
    let coupleKey: CoupleKey?
    /// Whether to give the author's own object alone.
    let answerOnly: Bool

    struct Opened {
        /// All of it, or the author's own object.
        let payload: [UInt8]
        let details: [JSONValue.Member]
        let isUnauthenticated: Bool
    }

    /// The key that an author released to the owner of the private keyset `ours`.
    func key(
        of document: AnswerDocument, in release: ReleaseKeyDocument, with ours: Keyset
    ) throws -> OneTimeKey {
        let context = try context(of: document)
        guard release.senderID == context.author else { throw AnswerError.otherAnswer }
        return try OneTimeKey(releasedBy: release.keybox, of: context, to: release.recipientID, with: ours)
    }

    func open(_ document: AnswerDocument, with key: OneTimeKey) throws -> Opened {
        let context = try context(of: document)
        let answer = UncheckedAnswer(token: document.token, commitment: document.commitment)
        guard let coupleKey else {
            let payload = try answer.open(with: key, of: context)
            return Opened(
                payload: answerOnly ? try AnswerPayload.answer(in: payload) : payload,
                details: AnswerCommand.details("unchecked", nil, document.commitment),
                isUnauthenticated: false)
        }
        let revealed = try answer.reveal(with: key, of: context, at: place, pinned: nil, key: coupleKey)
        // A keyset file lacks the origins of its keys, so the server may have each of them.
        let authenticity = revealed.authenticity(privateKeyIDs: [])
        return Opened(
            payload: answerOnly ? revealed.answer : revealed.payload,
            details: AnswerCommand.details(authenticity.rawValue, revealed.place, document.commitment),
            isUnauthenticated: authenticity == .unauthenticated)
    }

    private func context(of document: AnswerDocument) throws -> AnswerContext {
        try AnswerContext(couple: couple, question: document.questionID, author: document.userID)
    }
}
