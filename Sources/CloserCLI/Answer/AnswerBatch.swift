internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

// Many answers in one run: each line has the documents of its own, and with a vault it names the question of its own.

extension BatchShape {
    static let sealingAnswers = BatchShape(
        consumed: [.payload] + .plaintext, produced: [.answer], takesBareLine: false, isSecret: false)

    static let releasingAnswers = BatchShape(
        consumed: [.answer], produced: [.releaseKey, .init("partnerKeyVerified")], takesBareLine: false,
        isSecret: false)

    /// The result has the place that was checked in place of the line's, and the archive's token in place of `true`.
    static let revealingAnswers = BatchShape(
        consumed: openingAnswers.consumed + [.place, .own, .archive],
        produced: openingAnswers.produced + [.archive], takesBareLine: false, isSecret: false)

    // A plaintext is none of its results; but what opens a line vouches for it, and `seal` would take one for opened.
    static let openingAnswers = BatchShape(
        consumed: [.answer, .releaseKey],
        produced: [.payload, .payloadBase64, .init("authenticity"), .place, .init("commitmentHash")]
            + .plaintext, takesBareLine: false, isSecret: false)

    static let verifyingAnswers = BatchShape(
        consumed: [.answer, .payload, .payloadBase64],
        produced: [.init("verified"), .init("commitmentHash")],
        takesBareLine: false, isSecret: false)
}

extension JSONLine.Name {
    fileprivate static let question = Self("question")
    fileprivate static let place = Self("place")
    fileprivate static let answer = Self("answer")
    fileprivate static let releaseKey = Self("releaseKey")
    fileprivate static let own = Self("own")
    fileprivate static let archive = Self("archive")
    fileprivate static let payload = Self("payload")
    fileprivate static let payloadBase64 = Self("payloadBase64")
}

extension VaultBatchOptions {
    /// Refuses what belongs to one answer.
    func refuseBesides(question: String?, place: String?) throws {
        guard question == nil, place == nil else {
            throw CLIError(.usage, "with --jsonl each line has its own question and place")
        }
    }
}

extension Vault {
    /// Runs a batch on a couple's answers, and then says what it counted. If the vault could not be written, the counts are too high and
    /// stay unsaid.
    func runBatch(on couple: CoupleOverview, _ work: () throws -> Void, thenSaying counts: () -> Void) throws
    {
        do { try tellingLoss(of: couple, work) } catch {
            if CLIError(error).status == .partial { counts() }
            throw error
        }
        counts()
    }
}

extension BatchOptions {
    /// Opens with `opener` what was released to the private keyset `ours`.
    func open(
        _ file: String?, with opener: AnswerOpener, _ ours: Keyset, _ output: OutputOptions,
        inputs: inout Inputs
    ) throws {
        let unproven = LineCount()
        defer { unproven.warnOfUnproven() }
        try run(file, .openingAnswers, output, inputs: &inputs) { _ in
            { line, result in
                let document = try line.answer()
                let key = try opener.key(of: document, in: try line.releaseKey(), with: ours)
                let opened = try opener.open(document, with: key)
                if opened.isUnauthenticated { unproven.add() }
                result.append(
                    [try OutputKind.payload.member("payload", opened.payload.span)] + opened.details)
            }
        }
    }

    func verify(_ file: String?, _ output: OutputOptions, inputs: inout Inputs) throws {
        try run(file, .verifyingAnswers, output, inputs: &inputs) { _ in
            { line, result in
                result.append(try line.answer().commitment.verdict(on: try line.payload()))
            }
        }
    }
}

extension LineCount {
    func warnOfUnproven() {
        if value > 0 { Diagnostics.warn("answers whose author is unproven: \(value)") }
    }
}

extension BatchLine {
    func question() throws -> QuestionID {
        try QuestionID(parsing: String(decoding: try text(.question), as: UTF8.self))
    }

    func place() throws -> AnswerPlace {
        try AnswerPlace(parsing: String(decoding: try text(.place), as: UTF8.self))
    }

    /// Which of our answers is meant. A document never chooses the question.
    func name(in couple: CoupleID) throws -> AnswerName {
        AnswerName(couple: couple, question: try question(), place: has(.place) ? try place() : nil)
    }

    /// What is to be sealed: an object as it is written, or the text of one.
    func answerToSeal() throws -> [UInt8] {
        guard has(.text) || has(.base64) else { return try value(.payload) }
        guard !has(.payload) else { throw CLIError(.malformed, "give either payload or plaintext") }
        return try plaintext()
    }

    func answer() throws -> AnswerDocument {
        try document(.answer, "answer") { (bytes) throws(DocumentError) in try AnswerDocument(parsing: bytes)
        }
    }

    /// Our own answer of another phone; nil if the line has none.
    func ownAnswer() throws -> OwnAnswer? {
        guard has(.own) else { return nil }
        let document = try document(.own, "answer") { (bytes) throws(DocumentError) in
            try AnswerDocument(parsing: bytes)
        }
        return OwnAnswer(document, at: try place())
    }

    func wantsArchive() throws -> Bool {
        guard has(.archive) else { return false }
        guard case .bool(let isWanted)? = try? JSONValue(parsing: value(.archive)) else {
            throw CLIError(.malformed, "archive is true or false")
        }
        return isWanted
    }

    /// `sender` and `recipient` stand for the ids that the document lacks.
    func releaseKey(from sender: UserID? = nil, to recipient: UserID? = nil) throws -> ReleaseKeyDocument {
        try document(.releaseKey, "release-key") { (bytes) throws(DocumentError) in
            try ReleaseKeyDocument(parsing: bytes, from: sender, to: recipient)
        }
    }

    /// The payload as `answer open` gives it: an object as it is written, or else what a text or base64 stands for.
    fileprivate func payload() throws -> [UInt8] {
        guard has(.payloadBase64) else {
            let value = try value(.payload)
            return value.first == UInt8(ascii: "\"") ? try text(.payload) : value
        }
        let base64 = try text(.payloadBase64)
        guard !has(.payload), let bytes = try? Base64.standard.decode(base64.span) else {
            throw CLIError(.malformed, "give either payload, or payloadBase64 in standard base64")
        }
        return bytes
    }
}
