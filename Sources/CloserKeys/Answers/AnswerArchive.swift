package import CloserWire

/// Both answers to a question in one field of the couple, for a phone that has no key to either (closer-keys-formats(7), ARCHIVES).
///
/// - Important: An archive proves nothing: each partner can write one, and so can a thief of the couple key. The server can put an
///   older one back.
public struct AnswerArchive: Equatable, Sendable {
    /// An answer and its author.
    public struct Entry: Equatable, Sendable {
        /// The author.
        public let author: UserID
        /// The payload, UTF-8, the four members of the hardened form included; in canonical form if it was read from an archive.
        public let payload: [UInt8]
    }

    /// The couple whose answers they are.
    public let couple: CoupleID
    /// The question that is answered.
    public let question: QuestionID
    /// The day or the thread that it belongs to.
    public let place: AnswerPlace
    /// The answer of the user whose device made the archive.
    public let ours: Entry
    /// The answer of that user's partner.
    public let theirs: Entry
    /// What that device found of the partner's answer. A reader of the archive cannot check it.
    public let claim: Authenticity

    /// The text is not an archive of this couple, question and place in canonical form.
    public struct FormatError: Error, Equatable, Sendable {}

    /// The place of the field that contains it: `ck.answers/<place>/<question>`.
    public static func fieldPlace(of question: QuestionID, at place: AnswerPlace) -> FieldPlace {
        guard let field = try? FieldPlace(parsing: "ck.answers/\(place.text)/\(question.text)") else {
            preconditionFailure("a place and a question are ASCII, and shorter than a field's place")
        }
        return field
    }

    /// What a device found: two payloads, each one JSON object.
    package init(
        of context: AnswerContext, at place: AnswerPlace, ours payload: [UInt8], partner: UserID,
        _ theirs: RevealedAnswer, _ authenticity: Authenticity
    ) {
        (couple, question, self.place, claim) = (context.couple, context.question, place, authenticity)
        ours = Entry(author: context.author, payload: payload)
        self.theirs = Entry(author: partner, payload: theirs.payload)
    }

    /// Reads the plaintext of the field at ``fieldPlace(of:at:)``.
    ///
    /// - Throws: ``FormatError``, also for an archive of another couple, question or place.
    public init(
        parsing text: some Collection<UInt8>, of couple: CoupleID, _ question: QuestionID,
        at place: AnswerPlace
    ) throws(FormatError) {
        let bytes = Array(text)
        // A payload may have 16 levels of objects and arrays, and the archive has two around it.
        guard let value = try? JSONValue(parsing: bytes, maximumDepth: 18),
            let answers = value["answers"]?.members,
            let partner = value["partnerId"]?.string, answers.count == 2,
            let theirs = answers.first(where: { $0.name == partner }).flatMap(Self.entry),
            let ours = answers.first(where: { $0.name != partner }).flatMap(Self.entry),
            let claim = value["authenticity"]?.string.flatMap(Authenticity.init)
        else { throw FormatError() }
        (self.couple, self.question, self.place) = (couple, question, place)
        (self.ours, self.theirs, self.claim) = (ours, theirs, claim)
        // Any other member, name, version or spelling gives other bytes.
        guard self.bytes == bytes else { throw FormatError() }
    }

    /// The JSON in canonical form, which ``FieldKey/seal(_:place:openedUnder:openedUnbound:trustingOld:from:)`` encrypts.
    public var bytes: [UInt8] {
        let answers = [ours, theirs].compactMap { entry in
            (try? JSONValue(parsing: entry.payload)).map { JSONValue.Member(entry.author.text, $0) }
        }
        let members: [JSONValue.Member] = [
            .init("answers", .object(answers)), .init("authenticity", .string(claim.rawValue)),
            .init("coupleId", .string(couple.text)), .init("partnerId", .string(theirs.author.text)),
            .init("place", .string(place.text)), .init("questionId", .string(question.text)),
            .init("version", .number(1)),
        ]
        return JSONValue.object(members).canonicalBytes
    }

    private static func entry(_ member: JSONValue.Member) -> Entry? {
        guard let author = try? UserID(parsing: member.name), member.value.members != nil else { return nil }
        return Entry(author: author, payload: member.value.canonicalBytes)
    }
}

extension AnswerArchive.FormatError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.malformed, "this is not an archive of this couple's answers to this question")
    }
}
