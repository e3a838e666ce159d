internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// What a server or a partner sends: tokens, documents, messages, names.
enum Domain {
    static func tokens(_ bytes: [UInt8]) {
        if let token = try? FieldToken(parsing: bytes) {
            precondition(Array(token.description.utf8) == bytes)
        }
        if let token = try? SealedToken(parsing: bytes) {
            precondition(Array(token.description.utf8) == bytes)
        }
        if let token = try? KeyboxToken(parsing: bytes) {
            precondition(Array(token.description.utf8) == bytes)
        }
        if let token = try? Commitment(parsing: bytes) {
            precondition(Array(token.description.utf8) == bytes)
        }
        if let token = try? PublicKeyToken(parsing: bytes) {
            precondition(Array(token.description.utf8) == bytes)
            precondition(token == token && token.isSameKey(as: token))
        }
    }

    static func documents(_ bytes: [UInt8]) {
        let secret = SecretBytes(copying: bytes.span)
        do { _ = try InviteDocument(parsing: secret) } catch {}
        for kind in DocumentKind.allCases { _ = try? kind.brokenRules(in: bytes) }
        _ = try? AnswerDocument(parsing: bytes)
        _ = try? DeviceDocument(parsing: bytes)
        _ = try? RekeyDocument(parsing: bytes)
        _ = try? ReleaseKeyDocument(parsing: bytes)
        if let offer = try? PairOffer(parsing: bytes) {
            precondition((try? PairOffer(parsing: offer.bytes)) == offer)
        }
        if let reply = try? PairReply(parsing: bytes) {
            precondition((try? PairReply(parsing: reply.bytes)) == reply)
        }
        if let grant = try? PairGrant(parsing: bytes) {
            precondition((try? PairGrant(parsing: grant.bytes)) == grant)
        }
        if let document = try? CoupleDocument(parsing: bytes) {
            precondition((try? CoupleDocument(parsing: document.bytes))?.wrap == document.wrap)
        }
        _ = WrapCost.isExactly(String(decoding: bytes, as: UTF8.self))
    }

    static func chats(_ bytes: [UInt8]) {
        if let message = try? FitLinkMessage(parsing: bytes) {
            precondition((try? FitLinkMessage(parsing: message.bytes)) == message)
        }
        if let field = try? FondField(parsing: bytes) { precondition(field.text == bytes) }
        for kind in FondValue.Kind.allCases { _ = try? FondValue(parsing: bytes, as: kind) }
    }

    static func people(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let user = try? UserID(parsing: text) { precondition(user.bytes == bytes) }
        if let place = try? AnswerPlace(parsing: text) { precondition(Array(place.text.utf8) == bytes) }
        _ = try? SafetyNumber(typed: bytes)
        _ = try? SafetyNumber(scanned: bytes)
        do {
            let phrase = try RecoveryPhrase(typed: SecretBytes(copying: bytes.span))
            let advice = phrase.advice()
            for word in advice.unknownWords { _ = phrase.suggestion(forWord: word) }
            let normal = phrase.text.withBytes { SecretBytes(copying: $0) }
            if normal.count > 0 {
                let again = try RecoveryPhrase(typed: normal)
                let same =
                    again.text.withBytes { Array(copying: $0) }
                    == phrase.text.withBytes { Array(copying: $0) }
                precondition(same, "a normal form that is not its own")
            }
        } catch {}
        do { _ = try InviteCode(parsing: SecretBytes(copying: bytes.span)) } catch {}
    }
}
