internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

struct AnswerCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Seal, release and reveal answers.",
        subcommands: [Seal.self, Release.self, Reveal.self, Open.self, Verify.self, Status.self, Forget.self])
}

extension AnswerName {
    /// Runs `body`, which needs our answer. Where we have answered the question, but at another place, or theirs is another person's or
    /// to another question, the error says that.
    func atItsPlace<Result>(
        facing theirs: PartnerAnswer, in vault: Vault, _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch VaultError.answer(.otherAnswer) {
            throw otherAnswer(theirs)
        } catch VaultError.answer(.notSealed) where place != nil {
            do {
                _ = try vault.answer(AnswerName(couple: couple, question: question, place: nil))
            } catch VaultError.answer(.severalPlaces) {} catch { throw VaultError.answer(.notSealed) }
            throw CLIError(
                .notYet, "you have answered this question, but not at this place",
                hint: "check --place: closer-keys answer status shows the right one")
        }
    }

    private func otherAnswer(_ theirs: PartnerAnswer) -> any Error {
        let found = (theirs.document.userID, theirs.document.questionID)
        guard found != (theirs.partner, question) else { return VaultError.answer(.otherAnswer) }
        return CLIError(
            .authFailed,
            "the document is the answer of \(found.0.text) to \(found.1.text), not of \(theirs.partner.text) to \(question.text)",
            hint: "check --partner and --question, and that it is the right file")
    }
}

extension Inputs {
    mutating func answer(_ path: String?) throws -> AnswerDocument {
        try document(path, "answer") { (bytes) throws(DocumentError) in try AnswerDocument(parsing: bytes) }
    }

    /// `sender` and `recipient` stand for the ids that the document lacks.
    mutating func releaseKey(
        _ path: String?, from sender: UserID? = nil, to recipient: UserID? = nil
    ) throws -> ReleaseKeyDocument {
        try document(path, "release-key") { (bytes) throws(DocumentError) in
            try ReleaseKeyDocument(parsing: bytes, from: sender, to: recipient)
        }
    }
}
