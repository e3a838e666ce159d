package import CloserWire

/// What stands before a ciphertext and names its key: Tink's output prefix.
///
/// It is a hint, because it is unauthenticated.
public enum OutputPrefix: UInt32, CaseIterable, Equatable, Sendable {
    /// `01 ‖ u32be(key id)`.
    case tink = 1
    /// `00 ‖ u32be(key id)`, written before there was ``tink``.
    case legacy = 2
    /// Nothing.
    case raw = 3
    /// `00 ‖ u32be(key id)`.
    case crunchy = 4

    /// 5 bytes for every prefix but ``raw``.
    public static let byteCount = 5

    /// 5, or 0 for ``raw``.
    public var byteCount: Int { self == .raw ? 0 : Self.byteCount }

    /// The key id that the first bytes of a ciphertext name; nil if they name none. It is a guess: one without a prefix may begin so, too.
    package static func keyID(namedBy ciphertext: [UInt8]) -> UInt32? {
        guard let first = ciphertext.first, first <= 1, ciphertext.count >= byteCount else { return nil }
        return UInt32(bigEndian: ciphertext[1..<byteCount])
    }

    func append(keyID id: UInt32, to output: inout OutputSpan<UInt8>) {
        guard self != .raw else { return }
        output.append(self == .tink ? 1 : 0)
        output.append(bigEndian: id)
    }

    /// Whether `ciphertext` begins with the prefix of the key `id`. Never for ``raw``.
    func begins(_ ciphertext: Span<UInt8>, keyID id: UInt32) -> Bool {
        guard self != .raw, ciphertext.count > Self.byteCount else { return false }
        guard ciphertext[0] == (self == .tink ? 1 : 0) else { return false }
        return UInt32(bigEndian: ciphertext.extracting(1..<Self.byteCount)) == id
    }
}

// MARK: - Opening

extension Keyset {
    /// Tries the keys that a ciphertext may be meant for, and returns the id of the one that opened it.
    ///
    /// Tink's order: every enabled key whose prefix is the first five bytes, then every enabled key without
    /// a prefix on the whole. `attempt` gets a key and what follows its prefix.
    func firstToOpen(
        _ ciphertext: Span<UInt8>, _ attempt: (KeyMaterial, Span<UInt8>) throws(OpenError) -> Void
    ) throws(OpenError) -> UInt32 {
        var failure = OpenError.noMatchingKey
        let body = ciphertext.extracting(droppingFirst: min(OutputPrefix.byteCount, ciphertext.count))
        for entry in entries
        where entry.status == .enabled && entry.prefix.begins(ciphertext, keyID: entry.id) {
            if try opens(entry, body, attempt, &failure) { return entry.id }
        }
        for entry in entries where entry.status == .enabled && entry.prefix == .raw {
            if try opens(entry, ciphertext, attempt, &failure) { return entry.id }
        }
        throw failure
    }

    /// Whether this key opened it. If not, `failure` becomes the more telling of the reasons so far: a key that fitted and
    /// failed says more than one that was too short for its ciphertext, and that more than a missing key.
    private func opens(
        _ entry: KeyEntry, _ body: Span<UInt8>,
        _ attempt: (KeyMaterial, Span<UInt8>) throws(OpenError) -> Void, _ failure: inout OpenError
    ) throws(OpenError) -> Bool {
        guard let material = entry.material else { return false }
        do {
            try attempt(material, body)
            return true
        } catch .tooShort {
            if failure == .noMatchingKey { failure = .tooShort }
        } catch .noMatchingKey {
            // The key is of another kind, so another one is meant.
        } catch {
            failure = error
        }
        return false
    }
}

/// A plaintext and the key that opened it.
public struct Opened: Sendable {
    /// What was sealed.
    public let plaintext: [UInt8]
    /// The id of the key that opened it.
    public let keyID: UInt32

    /// What opening would give: for a test that stands in for it.
    public init(plaintext: [UInt8], keyID: UInt32) { (self.plaintext, self.keyID) = (plaintext, keyID) }
}

/// Why a ciphertext failed to open.
public enum OpenError: Error, Equatable, Sendable {
    /// There are fewer bytes than any ciphertext of this kind has.
    case tooShort
    /// No enabled key has the id that the ciphertext names, and each of them has a prefix.
    case noMatchingKey
    /// The first byte is another than that of a stream under a 32-byte key.
    case notAStream
    /// The key is another one, the associated data or context is another, or a byte changed. They look alike.
    case authenticationFailed
    /// The context is longer than HKDF's 32 KiB.
    case contextTooLong
    /// The stream opens, but the owner of the keys asked that nothing is opened with this one: the server may hold it.
    case keyRefused
}

extension OpenError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .tooShort: ErrorWords(.malformed, "too short to be a ciphertext")
        case .noMatchingKey:
            ErrorWords(
                .noKey, "no enabled key here has the id that the ciphertext names",
                "perhaps a rekey is yet to be accepted; look for the key that it was sealed under",
                typing: "closer-keys inspect shows its id, couple show and keyset list those here")
        case .notAStream:
            ErrorWords(.malformed, "this is not a sealed file", typing: "closer-keys inspect says what it is")
        case .authenticationFailed:
            ErrorWords(
                .authFailed, "it does not open: another key, another context, or a changed byte",
                "check the couple, the place, the question or the context that it was sealed for")
        case .contextTooLong: ErrorWords(.limit, "a context has at most 32768 bytes")
        case .keyRefused: .keyRefused
        }
    }
}

extension ErrorWords {
    /// What is said of a key that the server may hold, where a private one is required.
    package static let keyRefused = ErrorWords(
        .serverKnown,
        "this is under a key that came by an invite or a recovery, or was given away or exposed: the server may hold it",
        "open what you stored before without this demand; a pairing or a rekey makes a private key for the rest"
    )
}
