internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

// Answers without a vault: nothing is stored, and nothing but the files that are named is read.
extension AnswerCommand {
    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a sealed answer with its one-time key, or with a release and your private key.",
            discussion: """
                Its commitment is always checked. Who wrote it is checked with --couple-keyset-file.
                """)

        @Option(help: ArgumentHelp("The couple.", valueName: "id")) var couple: String
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
            let couple = try Identifier(parsing: couple)
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
            let authenticity: Authenticity = revealed.macKeyID == nil ? .unauthenticated : .serverForgeable
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
            try output.deliver(
                payload.span, .payload, named: "payload",
                details: [
                    .init("authenticity", .string(authenticity)),
                    .init("place", place.map { .string($0.text) } ?? .null),
                    .init("commitmentHash", .string(document.commitment.description)),
                ], inputs: inputs)
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether a payload is what an answer's author committed to. Needs no key.")

        @Option(
            help: ArgumentHelp("The answer's document, with the commitment.", valueName: "file"),
            completion: .file())
        var answer: String
        @Argument(
            help: ArgumentHelp("The payload; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let commitment = try inputs.answer(answer).commitment
            let payload = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
            guard commitment.committedBytes(in: payload) != nil else {
                throw RevealError.commitmentMismatch
            }
            try output.report(
                "verified",
                json: ["verified": true, "commitmentHash": .string(commitment.description)], inputs: inputs)
        }
    }

    struct Canonical: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the canonical form of a JSON value (RFC 8785), without a newline.")

        @Argument(
            help: ArgumentHelp("The JSON; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let bytes = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
            let value: JSONValue
            do { value = try JSONValue(parsing: bytes) } catch {
                throw Failure(.malformed, "this is not strict JSON: \(error.words)")
            }
            try output.deliver(value.canonicalBytes.span, .payload, named: "canonical", inputs: inputs)
        }
    }
}

extension JSONScanner.SyntaxError {
    /// What is wrong and where; no input.
    fileprivate var words: String {
        switch self {
        case .unexpectedByte(let offset): "unexpected byte at \(offset)"
        case .unexpectedEnd: "it ends too early"
        case .duplicateName(let offset): "duplicate name at byte \(offset)"
        case .tooDeep(let offset): "more than 16 levels at byte \(offset)"
        case .numberOutOfRange(let offset): "number out of range at byte \(offset)"
        case .loneSurrogate(let offset): "lone surrogate at byte \(offset)"
        case .malformedUTF8(let offset): "malformed UTF-8 at byte \(offset)"
        }
    }
}
