public import CloserPrimitives
public import CloserTink
package import CloserWire

/// A couple key under a recovery phrase: what a server may store (closer-keys-formats(7), THE COUPLE KEY).
///
/// The members are the texts of the documents. ``unwrap(with:)`` checks them.
///
/// - Important: A new phrase keeps the key. An old wrap and its phrase still open it
///   (docs/threat-model.md#w14).
@usableFromInline package struct KeyWrap: Equatable, Sendable {
    /// `iv(12) ‖ ciphertext ‖ tag(16)` in standard base64.
    package let wrappedCoupleKey: String
    /// 16 bytes in standard base64.
    package let kdfSalt: String
    /// The costs of Argon2id, which must be v1's.
    package let kdfParams: String

    /// Takes the three texts of a document.
    package init(wrappedCoupleKey: String, kdfSalt: String, kdfParams: String) {
        (self.wrappedCoupleKey, self.kdfSalt, self.kdfParams) = (wrappedCoupleKey, kdfSalt, kdfParams)
    }

    fileprivate static let associatedData = Array("closer_couple_key".utf8)

    /// Whether both are the same, byte by byte.
    @usableFromInline package static func == (ours: KeyWrap, theirs: KeyWrap) -> Bool {
        ours.texts == theirs.texts
    }

    private var texts: [WireText] { [wrappedCoupleKey, kdfSalt, kdfParams].map(WireText.init) }
}

/// Why a wrap stays closed.
public enum UnwrapError: Error, Equatable, Sendable {
    /// Invalid base64, or a salt or ciphertext of an impossible length.
    case malformed
    /// `kdfParams` asks for other costs than v1's, which are refused before any computation.
    case wrongCosts
    /// The phrase is wrong, or a byte was changed. The two look alike.
    case wrongPhrase
    /// The code of an invite is wrong, or a byte was changed. The two look alike.
    case wrongCode
    /// It opened, and did not hold a couple key in canonical form.
    case keyset(KeysetError)
    /// The system refused Argon2id its memory.
    case outOfMemory(MemoryShortage)
}

extension KeyWrap {
    /// Wraps the keyset under a fresh salt. Takes 30 to 100 ms and 45 MiB, on purpose.
    ///
    /// - Throws: `MemoryShortage`.
    package init(
        _ key: CoupleKey, under phrase: borrowing RecoveryPhrase, from randomness: Randomness = .system
    ) throws(MemoryShortage) {
        self = try WrappingKey(from: phrase, drawingFrom: randomness).wrap(key, from: randomness)
    }

    /// Brings the couple key back. Tries the phrase in its normal form, then as it was entered. Each try takes 30 to
    /// 100 ms and 45 MiB, on purpose.
    ///
    /// - Throws: ``UnwrapError``.
    package func unwrap(with phrase: borrowing RecoveryPhrase) throws(UnwrapError) -> CoupleKey {
        guard WrapCost.isExactly(kdfParams) else { throw .wrongCosts }
        guard let salt = try? Base64.standard.decode(kdfSalt), salt.count == Argon2id.saltByteCount,
            let box = Base64.decodeEither(wrappedCoupleKey), box.count >= AESGCM.overheadByteCount
        else { throw .malformed }
        do { return try open(box, salt, phrase.text) } catch .wrongPhrase {
            guard !phrase.text.isEqual(to: phrase.verbatim) else { throw .wrongPhrase }
            return try open(box, salt, phrase.verbatim)
        }
    }

    private func open(
        _ box: [UInt8], _ salt: [UInt8], _ phrase: borrowing SecretBytes
    ) throws(UnwrapError) -> CoupleKey {
        let cipher = try WrapCost.cipher(from: phrase, salt: salt.span)
        let keyset: SecretBytes
        do { keyset = try cipher.openCombined(box.span, authenticating: Self.associatedData.span) } catch {
            throw .wrongPhrase
        }
        do { return try CoupleKey(unwrapped: keyset) } catch { throw .keyset(error) }
    }
}

extension CoupleKey {
    /// Parses what a wrap held: a binary keyset, read strictly, or one in Tink's JSON (closer-keys-formats(7), TINK,
    /// Reading a keyset).
    init(unwrapped bytes: borrowing SecretBytes) throws(KeysetError) {
        let isJSON = InsecureCleartextKeyset.isJSON(bytes)
        let keyset =
            try isJSON
            ? InsecureCleartextKeyset.read(json: bytes) : InsecureCleartextKeyset.read(binary: bytes, .strict)
        try self.init(keyset)
    }
}

extension Base64 {
    /// Decodes either alphabet, padded or unpadded: clients differ here, and what is inside is authenticated. A text with
    /// letters of both alphabets gives nil.
    static func decodeEither(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        let hasStandard = text.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        let hasURL = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        guard !hasStandard || !hasURL else { return nil }
        let standard = text.map {
            $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
        }
        let isPadded = standard.last == UInt8(ascii: "=") || standard.count % 4 == 0
        let padding = isPadded ? 0 : (4 - standard.count % 4) % 4
        let padded = standard + [UInt8](repeating: UInt8(ascii: "="), count: padding)
        return try? Base64.standard.decode(padded.span)
    }
}

/// A phrase's key under a fresh salt, for who must derive it before they know what to wrap.
package struct WrappingKey: ~Copyable, Sendable {
    private let salt: [UInt8]
    private let cipher: AESGCM

    /// Takes 30 to 100 ms and 45 MiB, on purpose.
    package init(
        from phrase: borrowing RecoveryPhrase, drawingFrom randomness: Randomness = .system
    ) throws(MemoryShortage) {
        let salt = randomness.bytes(Argon2id.saltByteCount)
        self.salt = salt
        cipher = AESGCM(key: try WrapCost.argon2id.derive(from: phrase.text, salt: salt.span))
    }

    /// Takes over a key of 32 bytes that was derived before, and the salt that it was derived with.
    package init(adopting key: consuming SecretBytes, salt: [UInt8]) {
        precondition(salt.count == Argon2id.saltByteCount, "a salt has 16 bytes")
        self.salt = salt
        cipher = AESGCM(key: key)
    }

    package borrowing func wrap(_ key: CoupleKey, from randomness: Randomness = .system) -> KeyWrap {
        let keyset = InsecureCleartextKeyset.binary(key.keyset)
        let box = keyset.withBytes {
            cipher.sealCombined($0, authenticating: KeyWrap.associatedData.span, nonceFrom: randomness)
        }
        return KeyWrap(
            wrappedCoupleKey: Base64.standard.encode(box), kdfSalt: Base64.standard.encode(salt),
            kdfParams: WrapCost.text)
    }
}

// MARK: - Costs

/// The costs of Argon2id in v1: 46080 KiB, three passes, one lane, the only ones.
///
/// `kdfParams` comes from a server, so it is only compared: a server that chose the costs would ask for 4 GiB
/// and stop the device, or for next to nothing and try all phrases (docs/threat-model.md#w15).
package enum WrapCost {
    /// The member `kdfParams` as we write it.
    static let text = #"{"alg":"argon2id","m":46080,"p":1,"t":3,"v":19}"#

    package static let argon2id: Argon2id = {
        guard let cost = try? Argon2id(memoryKiB: 46_080, passes: 3, lanes: 1) else {
            preconditionFailure("the costs of v1 are out of bounds")
        }
        return cost
    }()

    /// The cipher that a phrase or a code opens with.
    static func cipher(from secret: borrowing SecretBytes, salt: Span<UInt8>) throws(UnwrapError) -> AESGCM {
        do { return AESGCM(key: try argon2id.derive(from: secret, salt: salt)) } catch {
            throw .outOfMemory(error)
        }
    }

    /// Whether `text` names exactly these costs, in one of the spellings that clients use.
    package static func isExactly(_ text: String) -> Bool {
        guard !text.utf8.elementsEqual("argon2id$v=19$m=46080,t=3,p=1".utf8) else { return true }
        guard let members = (try? JSONValue(parsing: text.utf8))?.members else { return false }
        let costs = members.compactMap { member in cost(of: member) }
        return costs.count == members.count && costs.sorted() == ["alg", "m", "p", "t", "v"]
    }

    /// The cost that a member gives, by the name that we write; nil if it is no cost or has another value than v1's.
    private static func cost(of member: JSONValue.Member) -> String? {
        let name = WireText(member.name)
        guard name != WireText("alg") else {
            return member.value.string.map(WireText.init) == WireText("argon2id") ? "alg" : nil
        }
        return numbers.first { cost in
            cost.value == member.value.number && cost.names.contains { WireText($0) == name }
        }?.names.first
    }

    /// The names that clients use for each cost, ours first, and v1's value.
    private static let numbers: [(names: [String], value: Double)] = [
        (["m", "memory", "memoryKiB"], 46_080), (["p", "parallelism"], 1), (["t", "iterations"], 3),
        (["v"], 19),
    ]
}

// MARK: - Errors in words

extension UnwrapError: WordedError {
    package var appWords: ErrorWords {
        guard case .keyset(let error) = self else { return words }
        return error.appWords
    }

    package var words: ErrorWords {
        switch self {
        case .malformed: ErrorWords(.malformed, "the wrapped key or its salt is malformed")
        case .wrongCosts:
            ErrorWords(.malformed, "kdfParams must be argon2id, version 19, with m=46080, t=3 and p=1")
        case .wrongPhrase: Self.shut(to: "phrase")
        case .wrongCode: Self.shut(to: "code")
        case .keyset(let error): error.words
        case .outOfMemory(let shortage): shortage.words
        }
    }

    private static func shut(to secret: String) -> ErrorWords {
        ErrorWords(
            .authFailed, "it does not open: another \(secret), or a changed byte",
            "check the \(secret), and that the document is this couple's")
    }
}
