internal import CloserTink
package import CloserWire

/// A partner's answer as a server hands it over, unchecked.
package struct UncheckedAnswer: Sendable {
    /// The sealed payload.
    package let token: SealedToken
    /// What its author promised, as the server tells it.
    package let commitment: Commitment

    /// Combines the two as a document contains them.
    package init(token: SealedToken, commitment: Commitment) {
        (self.token, self.commitment) = (token, commitment)
    }

    /// Opens it and checks its commitment alone, for any author. For a reader without the couple key.
    ///
    /// - Throws: `.noMatchingKey`, `.authenticationFailed` or `.commitmentMismatch`.
    package func open(with oneTimeKey: OneTimeKey, of context: AnswerContext) throws(RevealError) -> [UInt8] {
        try committed(with: oneTimeKey, of: context).payload
    }

    /// Opens and checks it, and throws `.pinMismatch` for a conflict. For a reader that keeps no record of conflicts; otherwise
    /// call ``outcome(with:of:at:pinned:key:)``, which makes the same checks.
    ///
    /// - Throws: The first step that fails, in the order of ``RevealError``.
    package func reveal(
        with oneTimeKey: OneTimeKey, of context: AnswerContext, at place: AnswerPlace?, pinned: Commitment?,
        key: CoupleKey
    ) throws(RevealError) -> RevealedAnswer {
        switch try outcome(with: oneTimeKey, of: context, at: place, pinned: pinned, key: key) {
        case .revealed(let answer): return answer
        case .conflict: throw .pinMismatch
        }
    }

    /// Opens and checks it: AEAD, commitment, pin, form, MAC, place (closer-keys-formats(7), SEALED ANSWERS, Reading
    /// order), each of them.
    ///
    /// `place` is nil where the reader does not know it, and `pinned` is the commitment that this reader saw first, or
    /// nil. An answer without a MAC passes with ``RevealedAnswer/macKeyID`` nil: its author and its place are unproven,
    /// and the caller decides whether to show it; see ``RevealedAnswer/authenticity(privateKeyIDs:)``.
    ///
    /// - Throws: The first step that fails, in the order of ``RevealError``, but never `.pinMismatch`.
    package func outcome(
        with oneTimeKey: OneTimeKey, of context: AnswerContext, at place: AnswerPlace?, pinned: Commitment?,
        key: CoupleKey
    ) throws(RevealError) -> RevealOutcome {
        let (received, payload, parsed) = try committed(with: oneTimeKey, of: context)
        let content = CommittedContent(
            received: received, payload: payload, parsed: parsed, commitment: commitment)
        if let pinned, !pinned.isEqual(to: commitment) {
            // What comes after the pin only says what the conflict is worth.
            let answer = try? content.checked(of: context, at: place, key: key)
            return .conflict(PinConflict(with: answer))
        }
        return .revealed(try content.checked(of: context, at: place, key: key))
    }

    /// Whether it was written with a key of the couple to this question, be it at another place or other than what was pinned.
    package func isProven(with oneTimeKey: OneTimeKey, of context: AnswerContext, key: CoupleKey) -> Bool {
        let outcome = try? outcome(with: oneTimeKey, of: context, at: nil, pinned: nil, key: key)
        guard case .revealed(let answer) = outcome else { return false }
        return answer.macKeyID != nil
    }

    /// The first two steps: AEAD and commitment.
    private func committed(
        with oneTimeKey: OneTimeKey, of context: AnswerContext
    ) throws(RevealError) -> (received: [UInt8], payload: [UInt8], parsed: JSONValue?) {
        let received: [UInt8]
        do { received = try oneTimeKey.open(token, of: context) } catch {
            // A token has more bytes than an IV and a tag, so it is never too short.
            throw error == .noMatchingKey ? .noMatchingKey : .authenticationFailed
        }
        guard let (payload, parsed) = commitment.committed(in: received) else { throw .commitmentMismatch }
        return (received, payload, parsed)
    }
}

/// How an answer was found: as its reader may show it, or in conflict with what the reader saw before.
package enum RevealOutcome: Equatable, Sendable {
    /// Every step passed.
    case revealed(RevealedAnswer)
    /// It opens to what it commits to, and another commitment was pinned. Keep it unshown.
    case conflict(PinConflict)
}

/// What another answer than the pinned one says about the partner.
package enum PinConflict: Equatable, Sendable {
    /// Nothing: it fails a later step, so a stranger who only knows public keys can have made it.
    case invalid
    /// Little. It is a whole answer without a MAC: a server or a stranger can have made it.
    case unproven
    /// Two answers to one question were written with the couple key. That is evidence, and worth remembering.
    case proven

    fileprivate init(with answer: RevealedAnswer?) {
        self = answer.map { $0.macKeyID == nil ? .unproven : .proven } ?? .invalid
    }
}

/// Why an answer stays closed. The cases are in the order of the steps.
public enum RevealError: Error, Equatable, Sendable {
    /// The one-time key is another answer's: its id differs from the one that the token names.
    case noMatchingKey
    /// The one-time key fails to open it: wrong key, couple, question or author, or tampered.
    case authenticationFailed
    /// The content differs from what its author committed to.
    case commitmentMismatch
    /// Another commitment was seen before.
    case pinMismatch
    /// It is what its author committed to, but something else than a strict JSON object; or it has only some of our four members; or
    /// it has all four in another form than the canonical one.
    case malformed
    /// Its MAC is false: it was written without this couple key, or for another couple, question or author.
    case macInvalid
    /// It was written for another day or thread.
    case placeMismatch
}

// MARK: - Form, MAC, place

/// A payload that opened and is what its author committed to. It is parsed once, here or to find the commitment.
private struct CommittedContent {
    let received: [UInt8]
    let payload: [UInt8]
    let parsed: JSONValue?
    let commitment: Commitment

    /// The steps behind the pin.
    func checked(
        of context: AnswerContext, at place: AnswerPlace?, key: CoupleKey
    ) throws(RevealError) -> RevealedAnswer {
        let members = try members()
        guard members.contains(where: { AnswerPayload.Member.all.contains($0.name) }) else {
            return RevealedAnswer(payload: payload, commitment: commitment, place: nil, macKeyID: nil)
        }
        guard Self.isWhole(members), JSONValue.object(members).canonicalBytes == received else {
            throw .malformed
        }
        let macKeyID = try Self.macKeyID(members, context, key)
        let written = try Self.place(members)
        if let place, place != written { throw .placeMismatch }
        return RevealedAnswer(payload: payload, commitment: commitment, place: written, macKeyID: macKeyID)
    }

    private func members() throws(RevealError) -> [JSONValue.Member] {
        guard payload.count <= AnswerPayload.maximumByteCount,
            let members = (parsed ?? (try? JSONValue(parsing: payload)))?.members
        else { throw .malformed }
        return members
    }

    private static func isWhole(_ members: [JSONValue.Member]) -> Bool {
        AnswerPayload.Member.all.allSatisfy { name in
            members.contains { $0.name == name && $0.value.string != nil }
        }
    }

    /// The id of the key under which the MAC holds, the primary tried first.
    private static func macKeyID(
        _ members: [JSONValue.Member], _ context: AnswerContext, _ key: CoupleKey
    ) throws(RevealError) -> UInt32 {
        let text = members[AnswerPayload.Member.mac]?.string ?? ""
        guard let tag = try? Base64.url.decode(text) else { throw .malformed }
        let mac = AnswerMAC(members, context)
        guard let entry = key.enabledEntries.first(where: { mac.isValid(tag, under: $0.key) }) else {
            throw .macInvalid
        }
        return entry.id
    }

    private static func place(_ members: [JSONValue.Member]) throws(RevealError) -> AnswerPlace {
        let text = members[AnswerPayload.Member.place]?.string ?? ""
        do { return try AnswerPlace(parsing: text) } catch { throw .malformed }
    }
}

// MARK: - Errors in words

extension RevealError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .noMatchingKey:
            ErrorWords(
                .authFailed, "the one-time key is not this answer's",
                "the release is another answer's, or one of the two was swapped")
        case .authenticationFailed: OpenError.authenticationFailed.words
        case .commitmentMismatch:
            ErrorWords(
                .commitmentMismatch, "this is not what the author committed to",
                "the sealed text or its commitment was swapped")
        case .pinMismatch:
            ErrorWords(
                .pinMismatch, "this is not the answer that was seen before",
                "talk to your partner about this answer",
                typing: "closer-keys answer status shows its state")
        case .malformed:
            ErrorWords(.malformed, "the answer opened, but it is not one JSON object in the required form")
        case .macInvalid:
            ErrorWords(
                .macInvalid, "this answer was written without this couple's key",
                "public keys are enough to make such an answer; or a rekey is yet to be accepted here")
        case .placeMismatch:
            ErrorWords(
                .placeMismatch, "this answer was written for another day or thread",
                "check the place; if it is right, the server shows the answer of another place")
        }
    }
}
