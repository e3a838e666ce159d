internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

/// The partner's answer, and which of ours it faces.
struct FacingOptions: ParsableArguments {
    @Argument(file: "The partner's answer, as the server stores it; standard input by default.")
    var partnerAnswer: String?
    @OptionGroup var partner: PartnerChoice
    @Option(
        "The question; by default the document's, if none of your answers to another question waits.",
        value: "id")
    var question: String?
    @OptionGroup var place: PlaceOption
    @OptionGroup var couple: CoupleChoice

    /// Opens the vault. The document must be by the couple's partner and answer the only question that waits: otherwise a server could
    /// choose which answer of ours is given away.
    func open(
        _ inputs: inout Inputs, _ waiting: WaitingAnswers
    ) throws -> (vault: Vault, whole: CoupleOverview, ours: AnswerName, theirs: PartnerAnswer) {
        let document = try inputs.answer(partnerAnswer)
        let (question, place) = (try question.map { try QuestionID(parsing: $0) }, try place.parsed)
        let (vault, couple) = try couple.open(&inputs)
        let whole = try vault.overview(of: couple)
        let theirs = try facing(document, of: try partner.id(of: whole))
        let ours = AnswerName(
            couple: couple,
            question: try question ?? waiting.only(document.questionID, try vault.answers(of: couple)),
            place: place)
        return (vault, whole, ours, theirs)
    }

    /// The author must be the couple's partner, unless the options name a partner.
    func facing(_ document: AnswerDocument, of partner: UserID) throws -> PartnerAnswer {
        guard self.partner.partner != nil || document.userID == partner else {
            throw CLIError(
                .otherPartner, "this document is not from \(partner.text), the couple's partner",
                hint: "pass the answer of your partner")
        }
        return PartnerAnswer(of: partner, document)
    }
}

/// The answers of ours for which a step is still to be done.
struct WaitingAnswers {
    static let toBeReleased = WaitingAnswers(words: "to be released") { !$0.isReleased && $0.isKeyKept }
    static let toBeRevealed = WaitingAnswers(words: "to be revealed") { !$0.isRevealed }

    let words: String
    let waits: @Sendable (AnswerOverview) -> Bool

    /// The question of the partner's document, if that question alone waits.
    fileprivate func only(_ question: QuestionID, _ answers: [AnswerOverview]) throws -> QuestionID {
        let questions = Set(answers.filter(waits).map(\.question.text)).sorted()
        guard questions == [question.text] else {
            let those = questions.isEmpty ? "none" : questions.listed
            throw CLIError(
                .inputRequired,
                "the document answers \(question.text), but only you choose the question (\(words): \(those))",
                hint: answers.contains { $0.question == question }
                    ? "name the question with --question"
                    : "seal yours first: closer-keys answer seal \("--question".option(question.text))")
        }
        return question
    }
}

/// The day or the thread of an answer.
struct PlaceOption: ParsableArguments {
    @Option(
        "The day or thread: daily:YYYY-MM-DD or thread:ID. After sealing you may leave it out as long as the question has only one answer.",
        value: "place")
    var place: String?

    var parsed: AnswerPlace? {
        get throws { try place.map { try AnswerPlace(parsing: $0) } }
    }
}
