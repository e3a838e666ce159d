internal import CloserPrimitives
internal import CloserWire

/// What both sides keep of a session key until the grant: `k(grant)` and `k(seal)`, each for the one transcript.
struct GrantKeys: ~Copyable, Sendable {
    private let transcript: PairingTranscript
    /// `k(grant) ‖ k(seal)`.
    private let keys: SecretBytes

    /// 64.
    static let byteCount = 2 * keyByteCount
    private static let keyByteCount = 32
    /// What is sealed begins with one of these. A program that lacks the second refuses it as malformed.
    private static let (name, migratingName) = ("couple", "couple/migrating")

    init(of transcript: PairingTranscript, from sessionKey: borrowing SecretBytes) {
        self.transcript = transcript
        keys = SecretBytes(shortLived: Self.byteCount) { output in
            transcript.key(.grant, from: sessionKey).withBytes { output.append($0) }
            transcript.key(.seal, from: sessionKey).withBytes { output.append($0) }
        }
    }

    /// Takes over the bytes of both keys.
    init(of transcript: PairingTranscript, adopting keys: consuming SecretBytes) {
        precondition(keys.count == Self.byteCount, "a pairing keeps two keys of 32 bytes")
        self.transcript = transcript
        self.keys = keys
    }

    borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try keys.withBytes(body)
    }

    /// `sealed = iv ‖ AES-256-GCM(k(seal), body, T)` and `tag = HMAC-SHA256(k(grant), LP(T, sealed))`.
    func seal(
        _ grant: borrowing CoupleGrant, _ lookup: PairingCode.Lookup, from randomness: Randomness
    ) -> PairGrant {
        let body = grant.onlyEnabled.body(named: grant.isMigrating ? Self.migratingName : Self.name)
        let sealed = transcript.seal(body, with: key(.seal), from: randomness)
        let tag = HMACSHA256.tag(of: transcript.proven(sealed).span, key: key(.grant))
        return PairGrant(lookup, tag: tag, sealed: sealed)
    }

    /// Checks the proof, opens what is sealed, and reads it.
    func open(_ grant: PairGrant) throws(PairingError) -> CoupleGrant {
        let proven = transcript.proven(grant.sealed)
        guard HMACSHA256.isValid(grant.tag.span, of: proven.span, key: key(.grant)) else {
            throw .macInvalid
        }
        let body = try transcript.open(grant.sealed, with: key(.seal))
        let opened: CoupleGrant
        do {
            opened = try body.withBytes { (body) throws(CoupleBodyError) in
                try CoupleGrant(body: body, named: Self.name, whenMigrating: Self.migratingName)
            }
        } catch {
            if case .phrase = error { throw .phraseRefused }
            throw .malformed
        }
        guard opened.hold.key.isEnabled else { throw .malformed }
        return opened
    }

    private func key(_ label: PairingTranscript.KeyLabel) -> SecretBytes {
        let start = label == .grant ? 0 : Self.keyByteCount
        return SecretBytes(shortLived: Self.keyByteCount) { output in
            keys.withBytes { output.append($0.extracting(start..<start + Self.keyByteCount)) }
        }
    }
}

extension CoupleGrant {
    /// This grant with its enabled keys alone: a partner is given those only that open something.
    fileprivate var onlyEnabled: CoupleGrant {
        CoupleGrant(
            CoupleHold(epoch: hold.epoch, key: hold.key.enabledOnly), phrase: phrase.copy(),
            isMigrating: isMigrating)
    }
}

// MARK: - What is sealed for a transcript

extension PairingTranscript {
    private static let holdName = "hold"

    /// `iv ‖ AES-256-GCM(k(hold), LP("hold", u32be(epoch), keyset), T)`, or nothing for no keys.
    func seal(
        _ hold: CoupleHold?, with sessionKey: borrowing SecretBytes, from randomness: Randomness
    ) -> [UInt8] {
        guard let hold else { return [] }
        let enabled = CoupleHold(epoch: hold.epoch, key: hold.key.enabledOnly)
        return seal(enabled.body(named: Self.holdName), with: key(.hold, from: sessionKey), from: randomness)
    }

    /// Opens what ``seal(_:with:from:)`` made, after the proof that covers it.
    func open(
        hold sealed: [UInt8], with sessionKey: borrowing SecretBytes
    ) throws(PairingError) -> CoupleHold? {
        guard !sealed.isEmpty else { return nil }
        let body = try open(sealed, with: key(.hold, from: sessionKey))
        let hold: CoupleHold
        do {
            hold = try body.withBytes { (body) throws(CoupleBodyError) in
                var reader = ByteReader(count: body.count)
                let hold = try CoupleHold(&reader, in: body, named: Self.holdName)
                guard reader.isAtEnd else { throw .form }
                return hold
            }
        } catch { throw .malformed }
        guard hold.key.isEnabled else { throw .malformed }
        return hold
    }

    fileprivate func seal(
        _ body: borrowing SecretBytes, with key: borrowing SecretBytes, from randomness: Randomness
    ) -> [UInt8] {
        body.withBytes {
            AESGCM(key: key).sealCombined($0, authenticating: digest.span, nonceFrom: randomness)
        }
    }

    /// The proof covered these bytes, so a failure here is the partner's: the other side sealed under another key than it
    /// proved to have.
    fileprivate func open(
        _ sealed: [UInt8], with key: borrowing SecretBytes
    ) throws(PairingError) -> SecretBytes {
        do { return try AESGCM(key: key).openCombined(sealed.span, authenticating: digest.span) } catch {
            throw .malformed
        }
    }
}
