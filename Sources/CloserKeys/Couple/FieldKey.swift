public import CloserPrimitives
public import CloserTink
package import CloserWire

/// How a key of a couple came to this device, and so who may hold it besides the partners.
public enum KeyOrigin: String, CaseIterable, Sendable {
    /// By an invite or a recovery phrase: the server may hold it (docs/threat-model.md#w1).
    case invite
    /// By a rekey between devices that verified each other.
    case rekey
    /// By a pairing, or made for one.
    case pairing
    /// It was private, until this device sent it to the maker of a pairing code, or the partner had another device: the owner of the former
    /// device has it. It went around the server.
    case given
    /// However it came: an invite of version 1 brought it again, or a pairing made a new key, and this one may be an older server's.
    case exposed

    /// Whether only the two devices hold such a key, as far as this device knows.
    public var isPrivate: Bool { self == .rekey || self == .pairing }

    /// Whether a proof under such a key is weaker evidence than one under `other`.
    public func provesLess(than other: KeyOrigin) -> Bool { proof < other.proof }

    /// 2 keeps out all but the two, 1 the server, 0 lets all in.
    private var proof: Int {
        switch self {
        case .rekey, .pairing: 2
        case .given: 1
        case .invite, .exposed: 0
        }
    }
}

/// A couple's key for its fields and files, with what this device knows of how each of its keys came.
///
/// It seals and opens the couple's texts (closer-keys-formats(7), FIELDS), and its photos with ``files``. A caller that
/// must avoid what a server could
/// have written or could read asks for ``Requirement/rekeyed``.
///
/// - Important: A field is bound to its couple alone: a server can show one in the place of another
///   (docs/threat-model.md#w11).
public struct FieldKey: Sendable {
    /// Which of the couple's keys may seal and open.
    public enum Requirement: Equatable, Sendable {
        /// Every one.
        case none
        /// Those that are private: they came by a rekey or a pairing. A key of unknown origin counts as known to the server.
        case rekeyed
    }

    /// The couple whose fields they are.
    public let couple: CoupleID
    /// The keys.
    public let key: CoupleKey
    /// Which of them may be used.
    public let requirement: Requirement
    private let origins: [UInt32: KeyOrigin]?
    /// What each field is tied to.
    private let place: [UInt8]

    /// `origins` says by key id how the keys came; one that it does not name came by an invite. Nil if their origins are unknown,
    /// as of those in a keyset file.
    public init(
        _ key: CoupleKey, of couple: CoupleID, origins: [UInt32: KeyOrigin]?,
        requirement: Requirement = .none
    ) {
        (self.key, self.couple) = (key, couple)
        (self.origins, self.requirement) = (origins, requirement)
        place = couple.bytes
    }

    /// The id of the key that seals.
    public var primaryID: UInt32 { key.keyset.primaryID }

    /// How the key of this id came to this device; nil if that is unknown.
    public func origin(ofKey keyID: UInt32) -> KeyOrigin? {
        origins.map { $0[keyID] ?? .invite }
    }

    /// Whether a text that a key of this origin opened has more possible authors than what is sealed now: that key proves less
    /// than the primary.
    public func predatesRekey(_ source: KeyOrigin?) -> Bool {
        guard let source, let primary = origin(ofKey: primaryID) else { return false }
        return source.provesLess(than: primary)
    }

    /// Seals `plaintext` as it is under the primary; empty is legal.
    ///
    /// `source` is the origin of the key that `plaintext` was opened with, and nil for a new text. What a key of origin
    /// `invite`, `given` or `exposed` opened may be the server's or a former device's, and sealed under a private key it would look as if it were the couple's.
    /// So it is refused where a private key is required, unless `trustingOld`: then the caller vouches for having stored it
    /// before the rekey or the pairing.
    ///
    /// - Throws: `.serverKnown` if the primary fails the requirement, `.serverForgeable` if the source does not,
    ///   else `.sealing`.
    public func seal(
        _ plaintext: some Collection<UInt8>, openedUnder source: KeyOrigin? = nil, trustingOld: Bool = false,
        from randomness: Randomness = .system
    ) throws(FieldKeyError) -> FieldToken {
        try checkSealing(source, trustingOld)
        do { return try key.seal(field: plaintext, couple: couple, from: randomness) } catch {
            throw .sealing(error)
        }
    }

    /// Opens a field of the couple.
    ///
    /// - Throws: `.opening` if it stays closed, else `.serverKnown` if the key that opened it fails the
    ///   requirement.
    public func open(_ token: FieldToken) throws(FieldKeyError) -> Opened {
        let opened: Opened
        do { opened = try key.open(token, couple: couple) } catch { throw .opening(error) }
        try check(opened.keyID)
        return opened
    }

    private func checkSealing(_ source: KeyOrigin?, _ trustingOld: Bool) throws(FieldKeyError) {
        try check(primaryID)
        guard requirement == .none || source?.isPrivate != false || trustingOld else {
            throw .serverForgeable
        }
    }

    private func check(_ keyID: UInt32) throws(FieldKeyError) {
        guard meetsRequirement(keyID) else { throw .serverKnown }
    }

    private func meetsRequirement(_ keyID: UInt32) -> Bool {
        requirement == .none || origin(ofKey: keyID)?.isPrivate == true
    }
}

// MARK: - Files

extension FieldKey {
    /// Seals and opens the couple's files, in constant memory: Tink's streams of segments of 1 MiB (closer-keys-formats(7), FILES).
    ///
    /// The key of a file is a subkey of the couple's key with the same id, so that a file opens for its couple alone, and
    /// ``origin(ofKey:)`` says how its key came. With ``Requirement/rekeyed``, `.keyRefused` is thrown where `.serverKnown` is for
    /// a field: by sealing for the primary, and by opening before the first byte comes out.
    public var files: StreamingAEAD {
        StreamingAEAD(
            key.enabledEntries.map { entry in
                StreamKeyChoice(
                    id: entry.id,
                    key: StreamingKey(derived: CoupleKey.subkey(.file, of: entry.key, couple: couple)),
                    isRefused: !meetsRequirement(entry.id))
            })
    }
}

// MARK: - Many fields

// For a batch, which uses the same memory for every field. `box` is emptied first, and holds the ciphertext in between.

extension FieldKey {
    /// A copy with key schedules of its own, for one more thread: threads that share schedules wait for each other.
    package func forThread() -> FieldKey {
        FieldKey(
            CoupleKey(forThread: key), of: couple, origins: origins, requirement: requirement)
    }

    /// How many characters the token of a plaintext has.
    package func tokenCount(_ plaintextCount: Int) -> Int {
        TokenFormat.field.textCount(plaintextCount + key.aead.overheadByteCount)
    }

    /// Seals like ``seal(_:openedUnder:trustingOld:)``, and appends the token's text.
    package func seal(
        _ plaintext: Span<UInt8>, openedUnder source: KeyOrigin?, trustingOld: Bool,
        from randomness: Randomness, through box: inout [UInt8], into text: inout OutputSpan<UInt8>
    ) throws(FieldKeyError) {
        try checkSealing(source, trustingOld)
        guard plaintext.count <= CoupleKey.maximumFieldByteCount else { throw .sealing(.plaintextTooLarge) }
        box.removeAll(keepingCapacity: true)
        box.append(addingCapacity: plaintext.count + key.aead.overheadByteCount) { output in
            key.aead.seal(plaintext, associatedData: place.span, from: randomness, into: &output)
        }
        TokenFormat.field.appendText(of: box.span, to: &text)
    }

    /// Opens like ``open(_:)``, and appends the plaintext to `plaintext`. Returns the id of the key that opened it.
    package func open(
        token text: Span<UInt8>, through box: inout [UInt8], into plaintext: inout [UInt8]
    ) throws -> UInt32 {
        box.removeAll(keepingCapacity: true)
        // Not 0, which writes into what all empty arrays share.
        try box.append(addingCapacity: max(1, text.count)) { (output) throws(TokenError) in
            try TokenFormat.field.appendPayload(of: text, to: &output)
        }
        var keyID: UInt32 = 0
        do {
            try plaintext.append(addingCapacity: max(1, box.count)) { (output) throws(OpenError) in
                keyID = try key.aead.open(box.span, associatedData: place.span, into: &output)
            }
        } catch { throw FieldKeyError.opening(error) }
        try check(keyID)
        return keyID
    }
}

/// Why a ``FieldKey`` refused to seal or open.
public enum FieldKeyError: Error, Equatable, Sendable {
    /// The key came by an invite or a recovery, was exposed, or is of unknown origin: the server may hold it, and the caller
    /// required a private one.
    case serverKnown
    /// The plaintext was opened with a key that the server may hold, so the server may have written it, and the caller
    /// required that it cannot have.
    case serverForgeable
    /// Sealing the field failed.
    case sealing(FieldSealError)
    /// The field stays closed.
    case opening(OpenError)
}

/// Why sealing a field failed.
public enum FieldSealError: Error, Equatable, Sendable {
    /// More than ``CoupleKey/maximumFieldByteCount`` bytes.
    case plaintextTooLarge
}

// MARK: - With the bare key

extension CoupleKey {
    /// The most that one field holds: 1 MiB.
    public static let maximumFieldByteCount = 1 << 20

    /// Seals `plaintext` as it is; empty is legal. The token opens for this couple only.
    ///
    /// Pass `Randomness.pooledForNonces()` to seal many texts faster.
    ///
    /// - Throws: `.plaintextTooLarge`.
    public func seal(
        field plaintext: some Collection<UInt8>, couple: CoupleID, from randomness: Randomness = .system
    ) throws(FieldSealError) -> FieldToken {
        try seal(field: Array(plaintext).span, couple: couple, from: randomness)
    }

    /// Opens a field of this couple.
    ///
    /// - Throws: `OpenError`.
    public func open(_ token: FieldToken, couple: CoupleID) throws(OpenError) -> Opened {
        try aead.open(token.ciphertext.span, associatedData: couple.bytes.span)
    }

    /// Seals with the randomness of the caller's; a test gives a scripted one.
    package func seal(
        field plaintext: Span<UInt8>, couple: CoupleID, from randomness: Randomness
    ) throws(FieldSealError) -> FieldToken {
        guard plaintext.count <= Self.maximumFieldByteCount else { throw .plaintextTooLarge }
        let ciphertext = aead.seal(plaintext, associatedData: couple.bytes.span, from: randomness)
        do { return try FieldToken(ciphertext) } catch {
            preconditionFailure("a ciphertext was too short for a token")
        }
    }
}

// MARK: - Errors in words

extension FieldKeyError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension FieldKeyError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .serverKnown: .keyRefused
        case .serverForgeable:
            ErrorWords(
                .serverForgeable,
                "this was opened with a key that the server may hold: the server may have written it",
                "seal only what you stored before the rekey or the pairing")
        case .sealing(let error): error.words
        case .opening(let error): error.words
        }
    }
}

extension FieldSealError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension FieldSealError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.limit, "a field holds at most \(CoupleKey.maximumFieldByteCount) bytes")
    }
}
