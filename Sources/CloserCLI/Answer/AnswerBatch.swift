#if CommandLine
internal import CloserKeys
internal import CloserTink
internal import CloserWire

// Many answers in one run: each line has the documents of its own.

extension BatchShape {
    // A plaintext is none of its results; but what opens a line vouches for it, and `seal` would take one for opened.
    static let openingAnswers = BatchShape(
        consumed: [.answer, .releaseKey],
        produced: [.payload, .payloadBase64, .init("authenticity"), .init("place"), .init("commitmentHash")]
            + .plaintext, takesBareLine: false, isSecret: false)

    static let verifyingAnswers = BatchShape(
        consumed: [.answer, .payload, .payloadBase64],
        produced: [.init("verified"), .init("commitmentHash")],
        takesBareLine: false, isSecret: false)
}

extension JSONLine.Name {
    fileprivate static let answer = Self("answer")
    fileprivate static let releaseKey = Self("releaseKey")
    fileprivate static let payload = Self("payload")
    fileprivate static let payloadBase64 = Self("payloadBase64")
}

extension BatchOptions {
    /// Opens with `opener` what was released to the private keyset `ours`.
    func open(
        _ file: String?, with opener: AnswerOpener, _ ours: Keyset, _ output: OutputOptions,
        inputs: inout Inputs
    ) throws {
        let unproven = LineCount()
        defer {
            if unproven.value > 0 {
                Diagnostics.warn("answers of which nothing proves who wrote them: \(unproven.value)")
            }
        }
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

extension BatchLine {
    fileprivate func answer() throws -> AnswerDocument {
        try document(.answer, "answer") { (bytes) throws(DocumentError) in try AnswerDocument(parsing: bytes)
        }
    }

    fileprivate func releaseKey() throws -> ReleaseKeyDocument {
        try document(.releaseKey, "release-key") { (bytes) throws(DocumentError) in
            try ReleaseKeyDocument(parsing: bytes)
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
            throw CLIError(.malformed, "give payload, or payloadBase64 in standard base64, and not both")
        }
        return bytes
    }
}
#endif
