public import CloserPrimitives
public import CloserTink
package import CloserWire

/// What a process outside of the vault needs to open a couple's fields and messages: a notification extension, a widget, a watch
/// (closer-keys-formats(7), OPENING KEYS).
///
/// Its functions only open.
///
/// - Important: Its bytes are AES keys. A thief of them reads what the couple wrote, and forges fields, messages, files and answers, which
///   then count as authenticated.
public struct OpeningKeys: ~Copyable, Sendable {
    /// The couple whose keys they are.
    public let couple: CoupleID
    /// How many pairings and rekeys the couple had when the keys were taken. Under a newer key a field does not open
    /// (``/CloserTink/OpenError/noMatchingKey``): ask the person to open the app.
    public let epoch: UInt32
    private let field: FieldKey
    private let chat: OpeningKeys.Chat?

    /// The enabled keys of a couple, and the key of its chat. It drops the requirement of `field`: check ``origin(ofKey:)`` of the
    /// key that opened. A key of unknown origin counts as one that came by an invite.
    public init(_ field: FieldKey, epoch: UInt32, chat: consuming OpeningKeys.Chat? = nil) {
        let enabled = field.key.enabledOnly
        let origins = enabled.keyset.entries.map { ($0.id, field.origin(ofKey: $0.id) ?? .invite) }
        self.field = FieldKey(enabled, of: field.couple, origins: Dictionary(uniqueKeysWithValues: origins))
        (couple, self.epoch) = (field.couple, epoch)
        self.chat = chat
    }

    /// Opens a field of the couple, at the place that it was sealed for if there is one. ``/CloserTink/Opened/keyID`` is for
    /// ``origin(ofKey:)``.
    ///
    /// - Throws: `.token` or `.opening`, as ``CoupleKey/open(_:couple:place:)`` does.
    public func open(_ token: FieldToken, place: FieldPlace? = nil) throws(FieldError) -> Opened {
        try field.open(token, place: place)
    }

    /// How the key of this id came to the device: under any but a private key, the server may have written the field.
    public func origin(ofKey keyID: UInt32) -> KeyOrigin? { field.origin(ofKey: keyID) }

    /// Opens a message of FitLink.
    ///
    /// - Throws: `.authenticationFailed`, also if these keys are of no chat of FitLink.
    public func open(_ message: FitLinkMessage) throws(ChatOpenError) -> [UInt8] {
        try opener(.fitLink).open(message)
    }

    /// Opens a field of Fond.
    ///
    /// - Throws: `.authenticationFailed`, also if these keys are of no couple of Fond.
    public func open(_ field: FondField) throws(ChatOpenError) -> [UInt8] { try opener(.fond).open(field) }

    private func opener(_ profile: OpeningKeys.Chat.Profile) throws(ChatOpenError) -> ChatKey {
        switch chat {
        case .some(let chat) where chat.profile == profile: return chat.opener
        default: throw .authenticationFailed
        }
    }
}

extension OpeningKeys {
    /// The key of a chat as a part of the keys.
    public struct Chat: ~Copyable, Sendable {
        /// Whose messages the key opens.
        public enum Profile: String, CaseIterable, Sendable {
            /// FitLink.
            case fitLink = "fitlink"
            /// Fond.
            case fond
        }

        /// Whose messages it opens.
        public let profile: Profile
        /// FitLink's chat; nil for Fond.
        public let id: ChatID?
        fileprivate let key: SecretBytes
        fileprivate let opener: ChatKey

        fileprivate init(_ profile: Profile, _ id: ChatID?, _ key: consuming SecretBytes) {
            (self.profile, self.id, opener) = (profile, id, ChatKey(key))
            self.key = key
        }

        /// The key that ``ChatKey/init(fitLink:ours:theirs:)`` derives.
        ///
        /// - Throws: `.lowOrderPublicKey`.
        public static func fitLink(
            _ chat: ChatID, ours: X25519PrivateKey, theirs: X25519PublicKey
        ) throws(X25519KeyError) -> OpeningKeys.Chat {
            OpeningKeys.Chat(.fitLink, chat, try ChatKey.secret(fitLink: chat, ours: ours, theirs: theirs))
        }

        /// The key that ``ChatKey/init(fond:theirs:salt:info:)`` derives.
        ///
        /// - Throws: `.lowOrderPublicKey`, or `.infoTooLong` above 32 KiB.
        public static func fond(
            ours: X25519PrivateKey, theirs: X25519PublicKey, salt: some Collection<UInt8> = [],
            info: some Collection<UInt8> = ChatKey.fondInfo
        ) throws(X25519KeyError) -> OpeningKeys.Chat {
            OpeningKeys.Chat(.fond, nil, try ours.agree(with: theirs, salt: salt, info: info))
        }
    }
}

// MARK: - As bytes

extension OpeningKeys {
    private static let name = "closer-keys/opening-keys/1"

    /// For one item of the Keychain, in the access group that the app shares with its extension.
    ///
    /// `LP(name, couple, u64be(epoch), binary keyset, (u32be(key id) ‖ u8(origin))*, profile, chat, chat key)`; without a chat the last
    /// three are empty.
    public var bytes: SecretBytes {
        let keyset = InsecureCleartextKeyset.binary(field.key.keyset)
        let origins = field.key.keyset.entries.flatMap {
            [UInt8](bigEndian: $0.id) + [(field.origin(ofKey: $0.id) ?? .invite).number]
        }
        let parts = [Array(Self.name.utf8), couple.bytes, [UInt8](bigEndian: UInt64(epoch))]
        let room = 8 * 4 + parts.joined().count + keyset.count + origins.count + 7 + 128 + ChatKey.byteCount
        return SecretBytes(capacity: room) { output in
            for part in parts { output.append(item: part.span) }
            keyset.withBytes { output.append(item: $0) }
            output.append(item: origins.span)
            append(chat: &output)
        }
    }

    private func append(chat output: inout OutputSpan<UInt8>) {
        switch chat {
        case .some(let chat):
            output.append(item: Array(chat.profile.rawValue.utf8).span)
            let id = chat.id?.bytes ?? []
            output.append(item: id.span)
            chat.key.withBytes { output.append(item: $0) }
        case .none:
            for _ in 0..<3 { output.append(item: Span()) }
        }
    }

    /// Reads ``bytes``.
    ///
    /// - Throws: ``OpeningKeys/FormatError``.
    public init(parsing secret: borrowing SecretBytes) throws(OpeningKeys.FormatError) {
        self = try secret.withBytes { (bytes) throws(OpeningKeys.FormatError) in
            do { return try OpeningKeys(bytes) } catch { throw .malformed }
        }
    }

    private init(_ bytes: Span<UInt8>) throws {
        var reader = ByteReader(count: bytes.count)
        guard try reader.bytes(in: bytes) == Array(Self.name.utf8) else {
            throw OpeningKeys.FormatError.malformed
        }
        let couple = try CoupleID(parsing: try reader.bytes(in: bytes))
        let epoch = try reader.bytes(in: bytes)
        let key = try CoupleKey(
            try InsecureCleartextKeyset.read(binary: try reader.secret(in: bytes), .strict))
        let origins = try Self.origins(try reader.bytes(in: bytes), of: key)
        let chat = try Self.chat(&reader, in: bytes)
        try reader.finish()
        guard epoch.count == 8, let epoch = UInt32(exactly: UInt64(bigEndian: epoch)) else {
            throw OpeningKeys.FormatError.malformed
        }
        self.init(FieldKey(key, of: couple, origins: origins), epoch: epoch, chat: chat)
    }

    /// One for each key, in the order of the keyset.
    private static func origins(_ bytes: [UInt8], of key: CoupleKey) throws -> [UInt32: KeyOrigin] {
        let ids = key.keyset.entries.map(\.id)
        guard bytes.count == 5 * ids.count else { throw OpeningKeys.FormatError.malformed }
        var origins: [UInt32: KeyOrigin] = [:]
        for (place, id) in ids.enumerated() {
            let entry = bytes[5 * place..<5 * place + 5]
            guard UInt32(bigEndian: entry.prefix(4)) == id,
                let origin = KeyOrigin(number: entry[5 * place + 4])
            else { throw OpeningKeys.FormatError.malformed }
            origins[id] = origin
        }
        return origins
    }

    private static func chat(_ reader: inout ByteReader, in bytes: Span<UInt8>) throws -> OpeningKeys.Chat? {
        let (profile, chat) = (try reader.bytes(in: bytes), try reader.bytes(in: bytes))
        let key = try reader.secret(in: bytes)
        if profile.isEmpty, chat.isEmpty, key.count == 0 { return nil }
        guard let profile = OpeningKeys.Chat.Profile(rawValue: String(decoding: profile, as: UTF8.self)),
            key.count == ChatKey.byteCount, chat.isEmpty == (profile == .fond)
        else { throw OpeningKeys.FormatError.malformed }
        return OpeningKeys.Chat(profile, chat.isEmpty ? nil : try ChatID(parsing: chat), key)
    }
}

extension KeyOrigin {
    /// The byte in opening keys and in a vault: the place in this list.
    private static let numbered: [KeyOrigin] = [.invite, .rekey, .pairing, .exposed, .given]

    /// 0 to 4.
    package var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }

    package init?(number: UInt8) {
        guard Self.numbered.indices.contains(Int(number)) else { return nil }
        self = Self.numbered[Int(number)]
    }
}

extension OpeningKeys {
    /// Why bytes are refused as opening keys.
    public enum FormatError: Error, Equatable, Sendable {
        /// Another format, or a part of it is missing or changed. The bytes are unauthenticated: an attacker who can write them can exchange the keys.
        case malformed
    }
}

extension OpeningKeys.FormatError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.malformed, "these are no opening keys", "let the app store them again")
    }
}
