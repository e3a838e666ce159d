internal import CloserPrimitives
public import CloserTink
internal import CloserWire

/// An answer that passed every check, in the reading order of security §3.1.
public struct RevealedAnswer: Equatable, Sendable {
    /// The payload, as its commitment has it: UTF-8.
    public let payload: [UInt8]
    public let commitment: Commitment
    /// Where it says it belongs; nil if it bears no MAC.
    public let place: AnswerPlace?
    /// The key of the couple keyset under which its MAC holds; nil if it bears none.
    public let macKeyID: UInt32?
}

/// Why an answer is not shown. One for each step, in the order of the steps.
public enum RevealError: Error, Equatable, Sendable {
    /// The one-time key does not open it: wrong key, couple, question or author, or tampered.
    case sealed(OpenError)
    /// The content is not what its author committed to.
    case commitmentMismatch
    /// It is not the commitment that was seen before.
    case pinMismatch
    /// Committed to, and no strict JSON object, or only some of our members, or not canonical with them.
    case malformed
    /// Nobody with this couple key wrote it for this couple, question and author.
    case macInvalid
    /// Written for another day or thread.
    case placeMismatch
}

/// What a server hands over of a partner's answer.
public struct UncheckedAnswer: Sendable {
    public let token: SealedToken
    public let commitment: Commitment

    public init(token: SealedToken, commitment: Commitment) {
        (self.token, self.commitment) = (token, commitment)
    }

    /// Opens it and checks its commitment, and not who wrote it. For a reader without the couple key.
    public func open(
        with oneTimeKey: OneTimeKey, of context: AnswerContext
    ) throws(RevealError) -> [UInt8] {
        let received: [UInt8]
        do { received = try oneTimeKey.open(token, of: context) } catch { throw .sealed(error) }
        guard let payload = commitment.committedBytes(in: received) else { throw .commitmentMismatch }
        return payload
    }

    /// Opens and checks it: AEAD, commitment, pin, form, MAC, place. There is no way to skip one.
    ///
    /// A payload without a MAC passes with ``RevealedAnswer/macKeyID`` nil: its author is not proven, and neither
    /// is its place. It is the caller's to refuse.
    public func reveal(
        with oneTimeKey: OneTimeKey, of context: AnswerContext, at place: AnswerPlace?, pinned: Commitment?,
        key: CoupleKey
    ) throws(RevealError) -> RevealedAnswer {
        let received: [UInt8]
        do { received = try oneTimeKey.open(token, of: context) } catch { throw .sealed(error) }
        guard let payload = commitment.committedBytes(in: received) else { throw .commitmentMismatch }
        if let pinned, !pinned.isEqual(to: commitment) { throw .pinMismatch }
        let members = try Self.members(of: payload)
        guard Self.isHardened(members) else {
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

    private static func members(of payload: [UInt8]) throws(RevealError) -> [JSONValue.Member] {
        guard payload.count <= AnswerPayload.maximumByteCount,
            let members = (try? JSONValue(parsing: payload))?.members
        else { throw .malformed }
        return members
    }

    private static func isHardened(_ members: [JSONValue.Member]) -> Bool {
        members.contains { AnswerPayload.Member.all.contains($0.name) }
    }

    private static func isWhole(_ members: [JSONValue.Member]) -> Bool {
        AnswerPayload.Member.all.allSatisfy { name in
            members.contains { $0.name == name && $0.value.string != nil }
        }
    }

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
