internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Both sides of a pairing, as far as they need no memory: whether an offer is open, used or expired, a device knows.
enum PairingOperations {
    static let all = [readCode, confirm, reply, finish, grant]

    static let readCode = VectorOperation(
        "pairing.code", file: "pairing_code.json", takes: "typed", gives: "lookup secret"
    ) { input in
        let code = try PairingCode(typed: try input.secretText("typed"))
        let secret = code.copyOfSecret().withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
        return ["lookup": .string(code.lookup.text), "secret": .string(secret)]
    }

    static let confirm = VectorOperation(
        "pairing.confirm", file: "pairing.json",
        takes: "offer scalar reply epoch keyset alone retiredIds? retiredKeyset?",
        gives: "epoch newPrimary keyIds holdEpoch? holdKeyset?",
        trace: { test, trace in
            let (offer, reply) = (try test.input.offer(), try test.input.reply())
            try trace.add(
                try test.input.scalar("scalar"), as: .initiator, ours: offer.message, theirs: reply.message,
                of: PairingTranscript(offer, reply), session: offer.session)
        }
    ) { input in
        let ours = try input.hold()
        let admitted = try input.openOffer().judge(try input.reply())
        let united = try ours.united(
            with: admitted.hold, isAlone: try input.flag("alone"), retired: try input.retired())
        return .confirmed(united, from: ours, with: admitted.hold)
    }

    static let reply = VectorOperation(
        "pairing.reply", takes: "offer code userId publicKey x25519PublicKey epoch? keyset?", gives: "reply",
        drawn: LiveSealing(
            reader: confirm, sealed: SealedPart(member: "reply", form: .document(.reply), start: 32),
            refusal: .codeMismatch, fresh: SealedPart(member: "reply", form: .document(.reply), count: 32),
            freshName: "share", draw: RandomPairing.reply)
    ) { input, randomness in
        let code = try PairingCode(typed: try input.secretText("code"))
        let answer = try AnsweredOffer(
            answering: try input.offer(), with: code, as: try input.party(),
            holding: try input.optionalHold(), drawingFrom: randomness)
        return .document("reply", answer.reply.bytes)
    }

    static let finish = VectorOperation(
        "pairing.finish", file: "pairing.json",
        takes:
            "offer code scalar userId publicKey x25519PublicKey grant epoch? keyset? retiredIds? retiredKeyset?",
        gives: "epoch keyset phrase migrating?",
        trace: { test, trace in
            let (offer, reply) = (try test.input.offer(), try test.input.answer().reply)
            try trace.add(
                try test.input.scalar("scalar"), as: .responder, ours: reply.message, theirs: offer.message,
                of: PairingTranscript(offer, reply), session: offer.session)
        }
    ) { input in
        let grant = try document { () throws(DocumentError) in try PairGrant(parsing: input.bytes("grant")) }
        let opened = try input.answer().open(grant)
        let united = try opened.united(with: try input.optionalHold(), retired: try input.retired())
        let phrase = opened.phrase.text.withBytes { Array(copying: $0) }
        return .finished(united, String(decoding: phrase, as: UTF8.self), isMigrating: opened.isMigrating)
    }

    static let grant = VectorOperation(
        "pairing.grant", takes: "offer scalar reply epoch keyset phrase migrating?", gives: "grant",
        drawn: LiveSealing(
            reader: finish, sealed: SealedPart(member: "grant", form: .document(.grant)),
            refusal: .macInvalid,
            fresh: SealedPart(
                member: "grant", form: .document(.grant), start: 32, count: AESGCM.nonceByteCount),
            freshName: "nonce", draw: RandomPairing.grant)
    ) { input, randomness in
        let phrase = try RecoveryPhrase(exactly: try input.secretText("phrase"))
        let isMigrating = try input.optionalText("migrating") != nil && input.flag("migrating")
        let granted = CoupleGrant(try input.hold(), phrase: phrase, isMigrating: isMigrating)
        let admitted = try input.openOffer().judge(try input.reply())
        return .document("grant", admitted.grant(granted, drawingFrom: randomness).bytes)
    }

    /// In a pairing a document whose form is wrong is `malformed`; which rule it breaks, `document.check` says.
    fileprivate static func document<Document>(
        _ parse: () throws(DocumentError) -> Document
    ) throws(PairingError) -> Document {
        do { return try parse() } catch { throw .malformed }
    }
}

extension JSONValue {
    fileprivate static func document(_ name: String, _ bytes: [UInt8]) -> JSONValue {
        .text(name, String(decoding: bytes, as: UTF8.self))
    }

    /// What `pairing.confirm` gives. A new primary is random, so its id is left out.
    static func confirmed(_ united: CoupleHold, from ours: CoupleHold, with theirs: CoupleHold?) -> JSONValue
    {
        let (keyset, before) = (united.key.keyset, ours.key.keyset.primaryID)
        let isNew = keyset.primaryID != before
        let ids = keyset.entries.map(\.id).filter { !isNew || $0 != keyset.primaryID }
        let confirmed: JSONValue = [
            "epoch": .number(Double(united.epoch)), "newPrimary": .bool(isNew),
            "keyIds": .array(ids.map { .number(Double($0)) }),
        ]
        guard let theirs else { return confirmed }
        return confirmed.merging([
            "holdEpoch": .number(Double(theirs.epoch)), "holdKeyset": .keyset(theirs.key.keyset),
        ])
    }
}

extension JSONValue {
    /// What `pairing.finish` gives: `migrating` is true or left out.
    static func finished(_ united: CoupleHold, _ phrase: String, isMigrating: Bool) -> JSONValue {
        let finished: JSONValue = [
            "epoch": .number(Double(united.epoch)), "keyset": .keyset(united.key.keyset),
            "phrase": .string(phrase),
        ]
        return isMigrating ? finished.adding("migrating", true) : finished
    }
}

// MARK: - The members of a case

extension VectorInput {
    fileprivate func bytes(_ name: String) -> [UInt8] { Array((members[name]?.string ?? "").utf8) }

    fileprivate func offer() throws -> PairOffer {
        let text = try utf8("offer")
        return try PairingOperations.document { () throws(DocumentError) in try PairOffer(parsing: text) }
    }

    fileprivate func reply() throws -> PairReply {
        let text = try utf8("reply")
        return try PairingOperations.document { () throws(DocumentError) in try PairReply(parsing: text) }
    }

    /// The inviter's side, as it was when the offer was made.
    fileprivate func openOffer() throws -> OpenOffer {
        try OpenOffer(resuming: try offer(), scalar: try secretHex("scalar"))
    }

    /// The acceptor's side, made once more: what was sealed in its reply does not matter for the grant.
    fileprivate func answer() throws -> AnsweredOffer {
        let code = try PairingCode(typed: try secretText("code"))
        return try AnsweredOffer(
            answering: try offer(), with: code, as: try party(), holding: nil, scalar: try scalar("scalar"),
            drawingFrom: .system)
    }

    fileprivate func party() throws -> PairingParty {
        PairingParty(
            user: try identifier("userId"), publicKey: try PublicKeyToken(parsing: try utf8("publicKey")),
            x25519PublicKey: try X25519PublicKey(parsing: try text("x25519PublicKey")))
    }

    fileprivate func optionalHold() throws -> CoupleHold? {
        try optionalText("keyset").map { _ in try hold() }
    }

    fileprivate func hold() throws -> CoupleHold {
        guard let epoch = UInt32(try text("epoch")) else { throw MemberFault(name: "epoch") }
        return CoupleHold(epoch: epoch, key: try CoupleKey(try keyset("keyset")))
    }

    /// What was retired: ids in decimal, with a space between them, and keys, which no other id brings back.
    fileprivate func retired() throws -> FormerKeys {
        let couple = try offer().couple
        let keys = try optionalText("retiredKeyset").map { _ in
            FormerKeys(try CoupleKey(try keyset("retiredKeyset")), of: couple)
        }
        return FormerKeys(of: couple, ids: try retiredIDs()).union(keys)
    }

    private func retiredIDs() throws -> Set<UInt32> {
        let ids = (try optionalText("retiredIds") ?? "").split(separator: " ").map { UInt32($0) }
        guard !ids.contains(nil) else { throw MemberFault(name: "retiredIds") }
        return Set(ids.compactMap(\.self))
    }

    fileprivate func flag(_ name: String) throws -> Bool {
        guard let flag = Bool(try text(name)) else { throw MemberFault(name: name) }
        return flag
    }
}

extension Trace {
    /// K, the session key and the transcript of a pairing.
    fileprivate mutating func add(
        _ scalar: consuming Ristretto255.Scalar, as role: CPace.Role, ours: CPace.Message,
        theirs: CPace.Message, of transcript: PairingTranscript, session: [UInt8]
    ) throws {
        add("sharedSecret", scalar.sharedElement(with: theirs.share).withBytes { Array(copying: $0) })
        add(
            "derivedKey",
            CPace.sessionKey(scalar: scalar, as: role, ours: ours, theirs: theirs, session: session))
        add("associatedData", transcript.digest)
    }
}
