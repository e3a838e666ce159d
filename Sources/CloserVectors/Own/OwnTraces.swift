internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Our values on the way to an output, computed again from the primitives when an answer is wrong.
///
/// The operations themselves tell none: what they derive stays in locked memory. What is in a vector is published.
enum OwnTraces {
    /// As far as they can be computed; none for an operation that has no values on the way.
    static func of(_ test: VectorCase) -> Trace {
        var trace = Trace()
        do {
            switch test.operation {
            case "chat.fitlink.open", "chat.fond.open": try chat(test.input, into: &trace)
            case "ecies.open", "keybox.open": try box(test.input, into: &trace)
            case "wrap.unwrap": try wrap(test.input, test.trace, into: &trace)
            case "invite.open": try invite(test.input, into: &trace)
            case "answer.open": try answer(test.input, into: &trace)
            case "field.open": trace.add("associatedData", try test.input.identifier("coupleId").bytes)
            case "aead.open": trace.add("associatedData", try test.input.hex("associatedData"))
            default: break
            }
        } catch {
            // Behind this value there is none: what was told so far is all.
        }
        return trace
    }

    private static func chat(_ input: VectorInput, into trace: inout Trace) throws {
        let theirs = try X25519PublicKey(parsing: try input.text("peerPublicKey"))
        let scalar = try input.secretHex("privateKey")
        guard scalar.count == X25519.byteCount else { return }
        let secret = try X25519.PrivateKey(adopting: scalar).sharedSecret(with: theirs.key)
        trace.add("sharedSecret", secret)
        let isFitLink = try input.optionalText("chatId") != nil
        let salt = try isFitLink ? input.ascii("chatId") : input.hex("salt")
        let info = try isFitLink ? Array("FitLinkChat".utf8) : input.ascii("info")
        guard info.count <= HKDF.maximumInfoByteCount else { return }
        trace.add(
            "derivedKey",
            HKDF.derive(from: secret, salt: salt.span, info: info.span, count: ChatKey.byteCount))
    }

    /// Under the key that the box names, or else one without a prefix.
    private static func box(_ input: VectorInput, into trace: inout Trace) throws {
        let isKeybox = try input.optionalText("keybox") != nil
        let box = try isKeybox ? KeyboxToken(parsing: input.text("keybox")).box : input.hex("ciphertext")
        let context = try isKeybox ? input.ascii("context") : input.hex("context")
        let id = box.dropFirst().prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let enabled = try input.keyset("keyset").entries.filter { $0.status == .enabled }
        let named = enabled.first { $0.prefix != .raw && $0.id == id }
        guard let entry = named ?? enabled.first(where: { $0.prefix == .raw }),
            case .eciesPrivate(let key)? = entry.material
        else { return }
        let parameters = key.publicKey.parameters
        let format: P256.PointFormat =
            parameters.pointFormat == .compressed ? .compressed : .uncompressed
        let kem = Array(box.dropFirst(entry.prefix.byteCount).prefix(format.byteCount))
        let secret = key.sharedSecret(with: ECIESPublicKey(try P256.PublicKey(kem.span, format: format)))
        trace.add("sharedSecret", secret)
        guard context.count <= HKDF.maximumInfoByteCount else { return }
        let material = SecretBytes(capacity: kem.count + secret.count) { output in
            for byte in kem { output.append(byte) }
            secret.withBytes { for index in $0.indices { output.append($0[index]) } }
        }
        trace.add(
            "derivedKey",
            HKDF.derive(
                from: material, salt: parameters.salt.span, info: context.span,
                count: parameters.dem == .aes256GCM ? 32 : 16))
    }

    private static func wrap(_ input: VectorInput, _ expected: Trace, into trace: inout Trace) throws {
        let salt = try Base64.standard.decode(try input.text("kdfSalt"))
        let phrase = try RecoveryPhrase(entered: try input.secretText("phrase"))
        derive(from: phrase.text, salt: salt, into: &trace)
        // A phrase that is not in its normal form is tried as it was entered, too: what the file has is told.
        var verbatim = Trace()
        derive(from: try input.secretText("phrase"), salt: salt, into: &verbatim)
        if verbatim["derivedKey"] == expected["derivedKey"] { trace = verbatim }
    }

    private static func invite(_ input: VectorInput, into trace: inout Trace) throws {
        let code = try InviteCode(entered: try input.secretText("code"))
        let box = try Base64.standard.decode(try input.text("recoveryPhrase"))
        derive(from: code.text, salt: Array(box.dropFirst().prefix(Argon2id.saltByteCount)), into: &trace)
    }

    private static func derive(from secret: borrowing SecretBytes, salt: [UInt8], into trace: inout Trace) {
        guard salt.count == Argon2id.saltByteCount else { return }
        trace.add("derivedKey", WrapCost.argon2id.derive(from: secret, salt: salt.span))
    }

    private static func answer(_ input: VectorInput, into trace: inout Trace) throws {
        let context = try AnswerContext(
            couple: try input.identifier("coupleId"), question: try input.identifier("questionId"),
            author: try input.identifier("userId"))
        trace.add("associatedData", KeyContext.sealedAnswer(context).bytes)
    }
}

extension Trace {
    fileprivate mutating func add(_ name: String, _ secret: borrowing SecretBytes) {
        add(name, secret.withBytes { Array(copying: $0) })
    }

    fileprivate mutating func add(_ name: String, _ bytes: [UInt8]) { add(name, hex: Hex.encode(bytes)) }
}
