public import CloserPrimitives
public import CloserTink
internal import CloserWire

/// A couple key under a recovery phrase: what a server may store (formats §3).
///
/// Texts as the documents have them. Nothing is checked until ``unwrap(with:)``.
public struct KeyWrap: Equatable, Sendable {
    /// `iv(12) ‖ ciphertext ‖ tag(16)` in standard base64.
    public let wrappedCoupleKey: String
    /// 16 bytes in standard base64.
    public let kdfSalt: String
    /// The costs of Argon2id, which must be v1's.
    public let kdfParams: String

    public init(wrappedCoupleKey: String, kdfSalt: String, kdfParams: String) {
        (self.wrappedCoupleKey, self.kdfSalt, self.kdfParams) = (wrappedCoupleKey, kdfSalt, kdfParams)
    }

    private static let associatedData = Array("closer_couple_key".utf8)
}

/// Why a wrap did not open.
public enum UnwrapError: Error, Equatable, Sendable {
    /// Not base64, or a salt or ciphertext of a length that cannot be.
    case malformed
    /// `kdfParams` asks for other costs than v1's. Nothing was computed.
    case wrongCosts
    /// The phrase or code does not fit or a byte changed. Nobody can tell which.
    case authenticationFailed
    /// It opened, and held no couple key in its one spelling.
    case keyset(KeysetError)
}

extension KeyWrap {
    /// Wraps the keyset under a fresh salt. Takes some 30 to 100 ms and 45 MiB, on purpose.
    public init(
        _ key: CoupleKey, under phrase: borrowing RecoveryPhrase, from randomness: Randomness = .system
    ) {
        let salt = randomness.bytes(Argon2id.saltByteCount)
        let wrappingKey = WrapCost.argon2id.derive(from: phrase.text, salt: salt.span)
        let keyset = InsecureCleartextKeyset.binary(key.keyset)
        let box = [UInt8](capacity: keyset.count + PhraseCipher.overheadByteCount) { output in
            keyset.withBytes { keyset in
                AESGCM(key: wrappingKey).seal(
                    keyset, nonceFrom: randomness, authenticating: Self.associatedData.span, into: &output)
            }
        }
        self.init(
            wrappedCoupleKey: Base64.standard.encode(box), kdfSalt: Base64.standard.encode(salt),
            kdfParams: WrapCost.text)
    }

    /// Brings the couple key back. Tries the phrase in its normal form, then as it was entered.
    public func unwrap(with phrase: borrowing RecoveryPhrase) throws(UnwrapError) -> CoupleKey {
        guard WrapCost.isExactly(kdfParams) else { throw .wrongCosts }
        guard let salt = try? Base64.standard.decode(kdfSalt), salt.count == Argon2id.saltByteCount,
            let box = Base64.decodeEither(wrappedCoupleKey), box.count >= PhraseCipher.overheadByteCount
        else { throw .malformed }
        do { return try open(box, salt, phrase.text) } catch .authenticationFailed {
            guard !phrase.text.isEqual(to: phrase.verbatim) else { throw .authenticationFailed }
            return try open(box, salt, phrase.verbatim)
        }
    }

    private func open(
        _ box: [UInt8], _ salt: [UInt8], _ phrase: borrowing SecretBytes
    ) throws(UnwrapError) -> CoupleKey {
        let cipher = AESGCM(key: WrapCost.argon2id.derive(from: phrase, salt: salt.span))
        let keyset = try PhraseCipher.open(box.span, cipher, Self.associatedData)
        do { return try CoupleKey(unwrapped: keyset) } catch { throw .keyset(error) }
    }
}

extension CoupleKey {
    /// Parses what a wrap held: binary in its one spelling, or Tink's JSON (formats §2.4).
    init(unwrapped bytes: borrowing SecretBytes) throws(KeysetError) {
        let isJSON = InsecureCleartextKeyset.isJSON(bytes)
        let keyset =
            try isJSON
            ? InsecureCleartextKeyset.read(json: bytes) : InsecureCleartextKeyset.read(binary: bytes, .strict)
        try self.init(keyset)
    }
}

/// AES-256-GCM as the wraps use it: `iv ‖ ciphertext ‖ tag`, no prefix.
enum PhraseCipher {
    static let overheadByteCount = AESGCM.nonceByteCount + AESGCM.tagByteCount

    static func open(
        _ box: Span<UInt8>, _ cipher: AESGCM, _ associatedData: [UInt8]
    ) throws(UnwrapError) -> SecretBytes {
        let nonce = box.extracting(first: AESGCM.nonceByteCount)
        let sealed = box.extracting(droppingFirst: AESGCM.nonceByteCount)
        do {
            return try SecretBytes(capacity: sealed.count) { (output) throws(AESGCM.AuthenticationFailure) in
                try cipher.open(sealed, nonce: nonce, authenticating: associatedData.span, into: &output)
            }
        } catch { throw .authenticationFailed }
    }
}

extension Base64 {
    /// Either alphabet, padded or not: clients differ, and what is inside is authenticated. Otherwise strict: no text
    /// has letters of both.
    static func decodeEither(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(where: "+/".utf8.contains) || !text.utf8.contains(where: "-_".utf8.contains)
        else { return nil }
        let standard = text.utf8.map {
            $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
        }
        let isPadded = standard.last == UInt8(ascii: "=") || standard.count % 4 == 0
        let padding = isPadded ? 0 : (4 - standard.count % 4) % 4
        let padded = standard + [UInt8](repeating: UInt8(ascii: "="), count: padding)
        return try? Base64.standard.decode(padded.span)
    }
}
