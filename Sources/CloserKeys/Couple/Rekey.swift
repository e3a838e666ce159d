package import CloserPrimitives
public import CloserTink
package import CloserWire

/// A couple's new key on its way to the partner, with the phrase that it is wrapped under (closer-keys-formats(7),
/// REKEYING).
///
/// A keybox has no sender (docs/threat-model.md#w5), so a rekey carries a proof of its own: a MAC under what both identity keys
/// share. The MAC is worth as much as the comparison of those keys. So only partners who verified each other may rekey.
@frozen package struct Rekey: ~Copyable, Sendable {
    /// The epoch, which counts this rekey, a new primary and the old keys for reading, and the phrase of the new wrap.
    package let grant: CoupleGrant

    /// A rekey to be sealed.
    package init(_ grant: consuming CoupleGrant) { self.grant = grant }

    /// `LP("closer-keys/v1/rekey", u32be(epoch), binary keyset, phrase)`.
    func body() -> SecretBytes { grant.body(named: Self.name) }

    private static let name = "closer-keys/v1/rekey"
}

/// Why a rekey is refused. There is one case for each step, in the order of the steps.
public enum RekeyDocumentError: Error, Equatable, Sendable {
    /// It is for another device, or it was changed.
    case keybox(CloserTink.OpenError)
    /// Another device than the verified one made it.
    case macInvalid
    /// That device made it, in another form than a rekey's.
    case malformed
    /// Its recovery phrase is none that ``RecoveryPhrase/random(from:)`` could have made.
    case phraseRefused
    /// It does not hold a couple key in canonical form.
    case keyset(KeysetError)
}

// MARK: - Sealing

extension Rekey {
    /// The keybox for the partner: the body and its MAC, sealed to `theirs`.
    ///
    /// - Important: `theirs` must be the very key that was verified.
    /// - Throws: `.wrongKind` if `identity` holds no private ECIES key.
    package func sealed(
        on route: RekeyRoute, with identity: Keyset, to theirs: PublicKeyToken,
        from randomness: Randomness = .system
    ) throws(KeysetError) -> KeyboxToken {
        guard case .eciesPrivate(let ours)? = identity.primary.material,
            case .eciesPublic(let their)? = theirs.keyset.primary.material
        else { throw .wrongKind(expected: .eciesPrivate) }
        let key = route.authenticationKey(
            ours, their, senderPoint: ours.publicKey.uncompressedPoint,
            recipientPoint: their.uncompressedPoint)
        let body = body()
        let content = SecretBytes(capacity: body.count + HMACSHA256.byteCount) { output in
            body.withBytes { body in
                output.append(body)
                output.append(HMACSHA256.tag(of: body, key: key))
            }
        }
        let context = KeyContext.rekey(route, epoch: grant.hold.epoch).bytes
        let box = content.withBytes {
            try? HybridBox.seal($0, to: theirs.keyset, context: context.span, from: randomness)
        }
        guard let box, let token = try? KeyboxToken(box) else {
            preconditionFailure("a rekey fits into a keybox, and its context into HKDF")
        }
        return token
    }
}

// MARK: - Opening

extension Rekey {
    /// Opens a partner's rekey, and checks that the device with the key `theirs` made it: keybox, MAC, form, keyset.
    ///
    /// The caller checks that the epoch is the next one, and that no key is lost (``CoupleKey/hasAllKeys(of:)``).
    ///
    /// - Important: `theirs` must be the very key that was verified on this device.
    /// - Throws: ``RekeyDocumentError``, the first step that fails.
    package init(
        opening keybox: KeyboxToken, epoch: UInt32, on route: RekeyRoute, with identity: Keyset,
        from theirs: PublicKeyToken
    ) throws(RekeyDocumentError) {
        let context = KeyContext.rekey(route, epoch: epoch).bytes
        let opened: OpenedSecret
        do { opened = try HybridBox.open(keybox.box, with: identity, context: context) } catch {
            throw .keybox(error)
        }
        // A key that this device gave up may be known to others by now.
        guard opened.keyID == identity.primaryID else { throw .keybox(.authenticationFailed) }
        guard let ours = identity.privateKey(opened.keyID),
            case .eciesPublic(let their)? = theirs.keyset.primary.material
        else { throw .macInvalid }
        let key = route.authenticationKey(
            ours, their, senderPoint: their.uncompressedPoint,
            recipientPoint: ours.publicKey.uncompressedPoint)
        self = try opened.plaintext.withBytes { (content) throws(RekeyDocumentError) in
            try Self(content, authenticatedBy: key, epoch: epoch)
        }
    }

    private init(
        _ content: Span<UInt8>, authenticatedBy key: borrowing SecretBytes, epoch: UInt32
    ) throws(RekeyDocumentError) {
        guard content.count >= HMACSHA256.byteCount else { throw .macInvalid }
        let body = content.extracting(first: content.count - HMACSHA256.byteCount)
        let tag = content.extracting(droppingFirst: body.count)
        guard HMACSHA256.isValid(tag, of: body, key: key) else { throw .macInvalid }
        let grant: CoupleGrant
        do { grant = try CoupleGrant(body: body, named: Self.name) } catch {
            switch error {
            case .form: throw .malformed
            case .phrase: throw .phraseRefused
            case .keyset(let error): throw .keyset(error)
            }
        }
        guard grant.hold.epoch == epoch else { throw .malformed }
        self.init(grant)
    }
}

extension Keyset {
    fileprivate func privateKey(_ id: UInt32) -> ECIESPrivateKey? {
        for entry in entries where entry.id == id && entry.status == .enabled {
            if case .eciesPrivate(let key)? = entry.material { return key }
        }
        return nil
    }
}

// MARK: - Route

/// The sender and the recipient of a couple's new key.
package struct RekeyRoute: Equatable, Sendable {
    /// The couple that rekeys.
    package let couple: CoupleID
    /// The partner who makes the new key.
    package let sender: UserID
    /// The partner who accepts it.
    package let recipient: UserID

    /// The route of a couple's rekey; ``sends(_:before:)`` says who must be the sender.
    package init(couple: CoupleID, from sender: UserID, to recipient: UserID) {
        (self.couple, self.sender, self.recipient) = (couple, sender, recipient)
    }

    /// Whether `user` is the partner who makes the new key: the one whose user id sorts first, byte by byte.
    ///
    /// If both might send, two new keys could cross, and each partner would accept the other's.
    package static func sends(_ user: UserID, before partner: UserID) -> Bool {
        user.bytes.lexicographicallyPrecedes(partner.bytes)
    }

    /// `HKDF-SHA256(Z, salt "closer-keys/v1", info LP("rekey-auth", coupleId, sender, recipient, both points), 32)`,
    /// the sender's point first, 65 bytes each.
    func authenticationKey(
        _ ours: ECIESPrivateKey, _ theirs: ECIESPublicKey, senderPoint: [UInt8], recipientPoint: [UInt8]
    ) -> SecretBytes {
        let salt = Array("closer-keys/v1".utf8)
        let info = [UInt8](lengthPrefixed: [
            Array("rekey-auth".utf8), couple.bytes, sender.bytes, recipient.bytes, senderPoint,
            recipientPoint,
        ])
        return HKDF.derive(
            from: ours.sharedSecret(with: theirs), salt: salt.span, info: info.span, count: 32)
    }
}

// MARK: - Errors in words

extension ErrorWords {
    /// What a grant and a rekey say of a phrase that the partner's program should not have chosen.
    static let phraseRefused = ErrorWords(
        .phraseRefused,
        "your partner's app chose a recovery phrase that is easy to guess, or that people cannot copy from paper",
        "update your partner's app, then pair or rekey again")
}

extension RekeyDocumentError: WordedError {
    package var appWords: ErrorWords {
        guard case .keyset(let error) = self else { return words }
        return error.appWords
    }

    package var words: ErrorWords {
        switch self {
        case .keybox(.noMatchingKey):
            ErrorWords(
                .noKey, "this rekey is sealed to a key that this device does not have",
                "your partner must verify this device's key", typing: "closer-keys device show")
        case .keybox(let error): error.words
        case .macInvalid:
            ErrorWords(
                .macInvalid, "the device whose key you compared did not make this rekey",
                "compare safety numbers again before you trust its sender")
        case .malformed: ErrorWords(.malformed, "this rekey is authentic, but it is not in the required form")
        case .phraseRefused: .phraseRefused
        case .keyset(let error): error.words
        }
    }
}
