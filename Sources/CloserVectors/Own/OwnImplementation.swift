internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// What closer-keys itself makes of a case, by the operation's name.
package struct OwnImplementation: Implementation {
    /// Takes a case and gives the members of its output, or throws one of the libraries' errors.
    typealias Operation = @Sendable (VectorInput) throws -> JSONValue

    /// Takes a case, and where nonces, salts and keys come from.
    typealias Sealing = @Sendable (VectorInput, Randomness) throws -> JSONValue

    private let randomness: Randomness

    package init() { self.init(sealingFrom: .system) }

    init(sealingFrom randomness: Randomness) { self.randomness = randomness }

    package func answer(_ test: VectorCase) -> Answer {
        if let obstacle = test.obstacle { return Answer(.skipped(obstacle)) }
        guard let operation = operation(test.operation) else {
            return Answer(.skipped("no operation \(test.operation)"))
        }
        let outcome = Self.outcome { try operation(test.input) }
        // Nobody asks how a right answer came about, and Argon2id takes its time.
        return test.expectation.isMet(by: outcome)
            ? Answer(outcome) : Answer(outcome, trace: OwnTraces.of(test))
    }

    private func operation(_ name: String) -> Operation? {
        if let seal = Self.sealing[name] { return { try seal($0, randomness) } }
        return Self.operations[name]
    }

    static func outcome(_ body: () throws -> JSONValue) -> Outcome {
        do { return .output(try body()) } catch let error as VectorInput.MemberFault {
            return .fault("the case's \(error.name) is missing or not what it must be")
        } catch {
            guard let id = VectorError.name(of: error) else {
                return .fault("unexpected error \(type(of: error))")
            }
            return .error(id)
        }
    }

    /// The names of those that files of vectors have; what seals is in ``LiveOperation/all``.
    package static var operationNames: [String] { operations.keys.sorted() }

    private static let sealing: [String: Sealing] = [
        "aead.seal": KeysetOperations.sealAEAD, "ecies.seal": KeysetOperations.sealECIES,
        "keybox.seal": KeysetOperations.sealKeybox, "stream.seal": KeysetOperations.sealStream,
        "field.seal": CoupleOperations.sealField, "wrap.wrap": CoupleOperations.wrap,
        "invite.seal": CoupleOperations.sealInvite, "answer.seal": AnswerOperations.seal,
        "chat.fitlink.seal": ChatOperations.sealFitLink, "chat.fond.seal": ChatOperations.sealFond,
    ]

    private static let operations: [String: Operation] = [
        "aead.open": KeysetOperations.openAEAD, "ecies.open": KeysetOperations.openECIES,
        "keybox.open": KeysetOperations.openKeybox, "keyset.parse": KeysetOperations.parse,
        "publicKey.parse": KeysetOperations.parsePublicKey, "stream.open": KeysetOperations.openStream,
        "field.open": CoupleOperations.openField, "wrap.unwrap": CoupleOperations.unwrap,
        "invite.open": CoupleOperations.openInvite, "kdfParams.check": CoupleOperations.checkCosts,
        "document.check": CoupleOperations.checkDocument,
        "answer.open": AnswerOperations.open, "reveal": AnswerOperations.reveal,
        "commitment.verify": AnswerOperations.verifyCommitment,
        "chat.fitlink.open": ChatOperations.openFitLink, "chat.fond.open": ChatOperations.openFond,
        "x25519.agree": ChatOperations.agree,
        "safetyNumber.fingerprint": SafetyNumberOperations.fingerprint,
        "safetyNumber.couple": SafetyNumberOperations.couple,
        "safetyNumber.x25519": SafetyNumberOperations.chat,
        "base64.decode": WireOperations.decodeBase64, "canonical": WireOperations.canonicalize,
        "wycheproof.aead": WycheproofOperations.aead, "wycheproof.xdh_comp": WycheproofOperations.x25519,
        "wycheproof.ecdh_ecpoint": WycheproofOperations.p256, "wycheproof.hkdf": WycheproofOperations.hkdf,
        "wycheproof.mac": WycheproofOperations.hmac,
    ]
}

extension JSONValue {
    /// One member in hexadecimal: what most operations give.
    static func hex(_ name: String, _ bytes: [UInt8]) -> JSONValue { text(name, Hex.encode(bytes)) }

    /// A keyset in binary and in the clear, in hexadecimal.
    static func keyset(_ keyset: Keyset) -> JSONValue {
        .string(Hex.encode(InsecureCleartextKeyset.binary(keyset).withBytes { Array(copying: $0) }))
    }

    /// One member that is a text.
    static func text(_ name: String, _ text: String) -> JSONValue { .object([Member(name, .string(text))]) }
}
