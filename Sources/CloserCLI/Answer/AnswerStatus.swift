internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

/// Where an answer of ours stands.
struct AnswerSummary {
    let members: [JSONValue.Member]

    init(_ answer: StoredAnswer) {
        let state =
            answer.isRevealed
            ? "revealed" : answer.isInConflict ? "conflict" : answer.isReleased ? "released" : "sealed"
        members = [
            .init("questionId", .string(answer.question.text)), .init("place", .string(answer.place.text)),
            .init("state", .string(state)), .init("released", .bool(answer.isReleased)),
            .init("revealed", .bool(answer.isRevealed)), .init("pinned", .bool(answer.isPinned)),
            .init("conflict", .bool(answer.isInConflict)),
            .init("commitmentHash", .string(answer.commitment.description)),
        ]
    }

    var lines: String {
        members.map { member in
            "\(member.name): \(member.value.string ?? String(decoding: member.value.bytes, as: UTF8.self))"
        }.joined(separator: "\n")
    }
}
