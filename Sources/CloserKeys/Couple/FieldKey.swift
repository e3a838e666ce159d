public import CloserPrimitives
public import CloserTink
internal import CloserWire

/// How a key of a couple came to this device, and so who may hold it besides the partners.
public enum KeyOrigin: String, CaseIterable, Sendable {
    /// By an invite or a recovery phrase: the server may hold it (docs/threat-model.md#w1).
    case invite
    /// By a rekey between devices that verified each other.
    case rekey
    /// By a pairing, or made for one.
    case pairing
    /// It was private until this device sent it to the maker of a pairing code, or until the partner got another device: the owner
    /// of the former device still has it. The server never had it.
    case given
    /// In any way, but exposed since: an invite of version 1 brought it again, or a pairing made a new key and this one stays for
    /// reading.
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
/// - Important: Seal a field for its place: without one it is bound to its couple alone, and a server can show it in the place of
///   another (docs/threat-model.md#w11).
public struct FieldKey: Sendable {
    /// Which of the couple's keys may seal and open.
    public enum Requirement: Equatable, Sendable {
        /// Every key.
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
    private let coupleBytes: [UInt8]

    /// `origins` maps the id of a key to how the key came. A key that it lacks came by an invite. Nil if the origins are unknown,
    /// as for a keyset file.
    public init(
        _ key: CoupleKey, of couple: CoupleID, origins: [UInt32: KeyOrigin]?,
        requirement: Requirement = .none
    ) {
        (self.key, self.couple) = (key, couple)
        (self.origins, self.requirement) = (origins, requirement)
        coupleBytes = couple.bytes
    }

    /// The id of the key that seals.
    public var primaryID: UInt32 { key.keyset.primaryID }

    /// How the key of this id came to this device; nil if that is unknown.
    public func origin(ofKey keyID: UInt32) -> KeyOrigin? {
        origins.map { $0[keyID] ?? .invite }
    }

    /// Whether the server may hold the key that seals; false if its origin is unknown.
    package var isServerKnown: Bool { origin(ofKey: primaryID)?.isPrivate == false }

    /// What is known of what the key of this id opened.
    package func proof(by keyID: UInt32, isBound: Bool? = nil) -> FieldReader.Proof {
        FieldReader.Proof(keyID: keyID, origin: origin(ofKey: keyID), isBound: isBound)
    }

    /// Whether a text opened by a key of this origin has more possible authors than a text under the primary.
    public func predatesRekey(_ source: KeyOrigin?) -> Bool {
        guard let source, let primary = origin(ofKey: primaryID) else { return false }
        return source.provesLess(than: primary)
    }

    /// Seals `plaintext` as it is under the primary; empty is legal. A field that has a place opens at no other one.
    ///
    /// `source` is the origin of the key that `plaintext` was opened with, and nil for a new text. What a key of origin
    /// `invite`, `given` or `exposed` opened may be the server's or a former device's, and sealed under a private key it would look as if it were the couple's.
    /// So it is refused where a private key is required. A plaintext of a token that lacks a place (`openedUnbound`) may have been
    /// moved by the server. Sealed for a place, it would look as if it had always been there, so it is refused, too.
    ///
    /// `trustingOld` seals both: with it, the caller vouches for having stored the plaintext before the rekey or the pairing, and for its
    /// place.
    ///
    /// - Throws: `.serverKnown` if the primary fails the requirement, `.serverForgeable` if the source does, `.unbound`, or
    ///   `.plaintextTooLarge`.
    public func seal(
        _ plaintext: some Collection<UInt8>, place: FieldPlace? = nil, openedUnder source: KeyOrigin? = nil,
        openedUnbound isUnbound: Bool = false, trustingOld: Bool = false,
        from randomness: Randomness = .system
    ) throws(FieldError) -> FieldToken {
        let source = FieldSource(openedUnder: source, isUnbound: isUnbound, isTrusted: trustingOld)
        try checkSealing(source, at: place)
        return try key.seal(field: plaintext, couple: couple, place: place, from: randomness)
    }

    /// Opens a field of the couple, at the place that it was sealed for if there is one.
    ///
    /// - Throws: `.token` or `.opening` as ``CoupleKey/open(_:couple:place:)`` does, else `.serverKnown` if the key that opened it
    ///   fails the requirement.
    public func open(_ token: FieldToken, place: FieldPlace? = nil) throws(FieldError) -> Opened {
        let opened = try key.open(token, couple: couple, place: place)
        try check(opened.keyID)
        return opened
    }

    private func checkSealing(_ source: FieldSource, at place: FieldPlace?) throws(FieldError) {
        try check(primaryID)
        guard !source.isTrusted else { return }
        guard requirement == .none || source.key?.isPrivate != false else { throw .serverForgeable }
        guard place == nil || !source.isUnbound else { throw .unbound }
    }

    private func check(_ keyID: UInt32) throws(FieldError) {
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
    package func tokenCount(_ plaintextCount: Int, at place: FieldPlace?) -> Int {
        FieldToken.Form(for: place).format.textCount(plaintextCount + key.aead.overheadByteCount)
    }

    /// Seals like ``seal(_:place:openedUnder:openedUnbound:trustingOld:from:)``, and appends the token's text.
    package func seal(
        _ plaintext: Span<UInt8>, at place: FieldPlace?, of source: FieldSource,
        from randomness: Randomness, through box: inout [UInt8], into text: inout OutputSpan<UInt8>
    ) throws(FieldError) {
        try checkSealing(source, at: place)
        guard plaintext.count <= CoupleKey.maximumFieldByteCount else { throw .plaintextTooLarge }
        box.removeAll(keepingCapacity: true)
        let data = FieldPlace.associatedData(of: coupleBytes, at: place)
        box.append(addingCapacity: plaintext.count + key.aead.overheadByteCount) { output in
            key.aead.seal(plaintext, associatedData: data.span, from: randomness, into: &output)
        }
        FieldToken.Form(for: place).format.appendText(of: box.span, to: &text)
    }

    /// Opens a token's text as ``open(_:place:)`` does, and appends the plaintext. `allowingUnbound` also opens `enc:v1:` at a place.
    package func open(
        _ text: Span<UInt8>, at place: FieldPlace?, allowingUnbound: Bool = false,
        through box: inout [UInt8], into plaintext: inout [UInt8]
    ) throws(FieldError) -> FieldReader.Proof {
        let binding: FieldPlace?
        box.removeAll(keepingCapacity: true)
        do {
            let form = try FieldToken.Form(of: text)
            binding = try form.binding(at: place, allowingUnbound: allowingUnbound)
            // Not 0, which writes into what all empty arrays share.
            try box.append(addingCapacity: max(1, text.count)) { (output) throws(TokenError) in
                try form.format.appendPayload(of: text, to: &output)
            }
        } catch { throw .token(error) }
        let data = FieldPlace.associatedData(of: coupleBytes, at: binding)
        var keyID: UInt32 = 0
        do {
            try plaintext.append(addingCapacity: max(1, box.count)) { (output) throws(OpenError) in
                keyID = try key.aead.open(box.span, associatedData: data.span, into: &output)
            }
        } catch { throw .opening(error) }
        try check(keyID)
        return proof(by: keyID, isBound: place == nil ? nil : binding != nil)
    }
}

/// Where a plaintext that is to be sealed comes from.
package struct FieldSource: Sendable {
    /// The origin of the key that opened it; nil for a new text.
    package let key: KeyOrigin?
    /// Whether its token lacked a place.
    package let isUnbound: Bool
    /// Whether the caller vouches for it.
    package let isTrusted: Bool

    package init(openedUnder key: KeyOrigin?, isUnbound: Bool = false, isTrusted: Bool = false) {
        (self.key, self.isUnbound, self.isTrusted) = (key, isUnbound, isTrusted)
    }
}
