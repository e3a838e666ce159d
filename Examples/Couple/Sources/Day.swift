import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation

/// What two paired people see: the partner's note, where the question stands, and the partner's answer once both are released.
nonisolated struct Day: Equatable, Sendable {
    let note: String
    let state: AnswerState
    let answer: String
    var isAnswered: Bool { state != .unanswered }
    var line: String {
        switch state {
        case .unanswered: "Answer, and you will see what your partner wrote."
        case .sealed: "Your answer is sealed. Waiting for your partner."
        case .released: "Your answer is released. Waiting for theirs."
        case .revealed: "You can read each other's answers."
        case .conflict: "Your partner's answer was exchanged. Talk about this one."
        }
    }
}

extension CoupleModel {
    /// Seals a note for its place, with a key that the server never had.
    func write(note: String) async {
        await act {
            let key = try await room.use { try $0.couple(couple).fieldKey(requiring: .rekeyed) }
            let token = try key.seal(note.utf8, place: FieldPlace(parsing: notePath(user)))
            try await server.store(Data(token.description.utf8), at: notePath(user))
        }
    }

    func answer(_ text: String) async {
        await act {
            let json = try JSONEncoder().encode(["text": text])
            _ = try await room.use { try $0.seal(answer: json, to: question, at: place, of: couple) }
        }
    }

    /// Brings up what the server lacks, and reads what is there. The extension gets the newest keys.
    func day() async throws -> Day {
        let keys = try await room.use { try $0.openingKeys(of: couple) }
        try keep(Data(InsecureCopy.bytes(keys.bytes)))
        try await upload(to: "couples/\(couple)") { try $0.couple(couple).document.bytes }
        let partner = try await room.use { try $0.partners(of: couple).first(where: \.isVerified) }
        guard let partner else { throw VaultError.answer(.notVerified) }
        let (note, answer) = try await (note(of: partner.userID), exchange(with: partner))
        return Day(note: note, state: try await room.use { try $0.answerState(of: name) }, answer: answer)
    }

    private func note(of user: UserID) async throws -> String {
        guard let token = try await server.document(at: notePath(user)) else { return "" }
        let key = try await room.use { try $0.couple(couple).fieldKey(requiring: .rekeyed) }
        let opened = try key.open(FieldToken(parsing: token), place: FieldPlace(parsing: notePath(user)))
        return String(decoding: opened.plaintext, as: UTF8.self)
    }

    /// Releases our answer once the partner's is sealed, too, and reveals theirs once they have released it.
    private func exchange(with partner: Partner) async throws -> String {
        guard try await room.use({ try $0.answerState(of: name) }) != .unanswered else { return "" }
        try await upload(to: path("answers", user)) { try $0.answer(name).document.bytes }
        let sealed = try await server.document(at: path("answers", partner.userID))
        guard let sealed, let key = partner.key else { return "" }
        let theirs = PartnerAnswer(of: partner.userID, try AnswerDocument(parsing: sealed))
        try await upload(to: path("releases", partner.userID)) {
            try $0.release(name, to: theirs, key: key, requiringVerified: true).document.bytes
        }
        guard let box = try await server.document(at: path("releases", user)) else { return "" }
        let shown = try await room.use {
            try $0.reveal(name, of: theirs, with: ReleaseKeyDocument(parsing: box))
        }
        let json = try JSONDecoder().decode([String: String].self, from: Data(shown.answer.answer))
        return (json["text"] ?? "") + (shown.authenticity == .authenticated ? "" : " (not proven)")
    }

    nonisolated private var name: AnswerName { AnswerName(couple: couple, question: question, place: place) }
    func notePath(_ user: UserID) -> String { "couples/\(couple)/notes/\(user)" }
    private func path(_ kind: String, _ user: UserID) -> String { "\(kind)/\(couple)/\(question)/\(user)" }
}
