import CloserKeys
import CloserTink

@testable import CloserVault

/// All documents of the search, by number.
final class RevealPapers {
    let names: SearchNames
    let name: AnswerName
    private(set) var answers: [RevealAnswer] = []
    private(set) var boxes: [RevealBox] = []

    init(_ names: SearchNames, of name: AnswerName) { (self.names, self.name) = (names, name) }

    /// The number of a document of an answer. What else it says, such as whether it was released, does not matter.
    func add(_ answer: RevealAnswer) -> Int {
        let known = answers.firstIndex {
            $0.token == answer.token && $0.commitment == answer.commitment && $0.label == answer.label
                && $0.isOfQuestion == answer.isOfQuestion
        }
        if let known { return known }
        answers.append(answer)
        return answers.count - 1
    }

    func add(_ box: RevealBox) -> Int {
        if let known = boxes.firstIndex(where: { $0.name == box.name && $0.label == box.label }) {
            return known
        }
        boxes.append(box)
        return boxes.count - 1
    }

    /// What somebody wrote, as a document under a name.
    func answer(
        _ document: AnswerDocument, as label: Seat, by author: Seat?, _ content: RevealAnswer.Content,
        trick: String? = nil
    ) -> RevealAnswer {
        RevealAnswer(
            delivered: PartnerAnswer(of: document.userID, document), label: label, author: author,
            trick: trick, isOfQuestion: document.questionID == name.question,
            token: names.of(document.token), commitment: names.of(document.commitment), content: content)
    }

    /// The newest document that this person has sealed with that commitment.
    func genuine(_ commitment: Int) -> Int? {
        answers.firstIndex { $0.trick == nil && $0.commitment == commitment }
    }

    func context(author: Seat, of question: QuestionID? = nil) throws -> AnswerContext {
        try AnswerContext(
            couple: name.couple, question: question ?? name.question, author: UserID(parsing: author.user))
    }

    /// Where the answers belong.
    var place: AnswerPlace {
        guard let place = name.place else { preconditionFailure("a question without a place") }
        return place
    }

    /// What the app hands over to be sealed.
    static func text(_ content: Int) -> String { "{\"answer\":\"this answer is number \(content)\"}" }
}
