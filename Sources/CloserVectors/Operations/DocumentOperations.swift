internal import CloserKeys
internal import CloserWire

/// The documents that the apps' server stores.
enum DocumentOperations {
    static let all = [check]

    static let check = VectorOperation(
        "document.check", file: "documents.json", group: "document", takes: "text previous?", gives: ""
    ) { input in
        let text = try input.utf8("text")
        switch try input.text("document") {
        case "couple":
            let document = try CoupleDocument(parsing: text)
            if let previous = try input.optionalText("previous") {
                try document.check(after: try CoupleDocument(parsing: previous.utf8))
            }
        case "invite": _ = try InviteDocument(parsing: try input.secretText("text"))
        case "answer": _ = try AnswerDocument(parsing: text)
        case "release-key": _ = try ReleaseKeyDocument(parsing: text)
        case "device": _ = try DeviceDocument(parsing: text)
        case "pair-offer": _ = try PairOffer(parsing: text)
        case "pair-reply": _ = try PairReply(parsing: text)
        case "pair-grant": _ = try PairGrant(parsing: text)
        default: throw VectorInput.MemberFault(name: "document")
        }
        return .object([])
    }
}
