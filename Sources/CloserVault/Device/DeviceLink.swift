public import CloserKeys
public import CloserPrimitives
package import CloserWire

/// A vault's key on its way to another device of the same user: a document that may pass through the server, and a code that may not.
///
/// The key is sealed under the code with AES-256-GCM, together with the newest version of the vault (closer-keys-formats(7), LINK). The other
/// device opens it with ``key(from:code:)``, and the vault with that key, `notOlderThan` that version. The link is good until the vault
/// gets another vault key: ``Vault/renew(locking:)``.
///
/// - Important: A thief who has both can do all that the user can, unseen. Delete the document once it was accepted.
@frozen public struct DeviceLink: ~Copyable, Sendable {
    /// The JSON document.
    public let document: [UInt8]
    /// What opens it.
    public let code: Code

    package init(
        to key: borrowing SecretBytes, _ version: VaultVersion, of user: UserID, under code: consuming Code,
        from randomness: Randomness = .system
    ) {
        let box = Self.content(key, version).withBytes { content in
            Self.cipher(code, version.vaultID).sealCombined(
                content, authenticating: Self.associatedData(version.vaultID, user).span,
                nonceFrom: randomness)
        }
        guard let token = try? TokenFormat.link.text(of: box.span) else {
            preconditionFailure("a link has one length")
        }
        document =
            JSONValue.object([
                .init("vault", .string(version.vaultID.description)), .init("userId", .string(user.text)),
                .init("link", .string(String(decoding: token, as: UTF8.self))),
            ]).bytes
        self.code = code
    }

    /// What a link brings.
    @frozen public struct Opened: ~Copyable, Sendable {
        /// The vault's key, 32 bytes, for ``Credential/key(_:)``.
        public let key: SecretBytes
        /// The version that the vault had when the link was made: an older vault is to be refused.
        public let version: VaultVersion

        /// Opens the vault, which must come of the link's version and of the one that this device has `known`.
        package func open(_ locked: LockedVault, notOlderThan known: VaultVersion?) throws(VaultError)
            -> Vault
        {
            let copy = key.withBytes { SecretBytes(copying: $0) }
            // A device that is linked again has a copy under the former key.
            try? locked.storage.refresh()
            let vault = try LockedVault(in: locked.storage).unlock(with: .key(copy), notOlderThan: version)
            if let known { try vault.check(follows: known) }
            return vault
        }
    }

    /// Which vault a link is of, as its document says.
    package static func vaultID(in document: [UInt8]) throws(Failure) -> Vault.ID {
        try parts(of: document).0
    }

    /// Opens a link. Nothing is used up by a wrong code.
    ///
    /// - Throws: ``Failure``: `.malformed`, `.token`, and `.authenticationFailed` for another code or a changed document.
    public static func key(
        from document: some Collection<UInt8>, code: borrowing Code
    ) throws(Failure) -> Opened {
        let (id, user, box) = try parts(of: Array(document))
        let content: SecretBytes
        do {
            content = try cipher(code, id).openCombined(
                box.span, authenticating: associatedData(id, user).span)
        } catch { throw .authenticationFailed }
        guard let opened = try? content.withBytes({ try Opened(content: $0, of: id) }) else {
            throw .malformed
        }
        return opened
    }

    private static func parts(of document: [UInt8]) throws(Failure) -> (Vault.ID, UserID, box: [UInt8]) {
        guard let object = try? JSONValue(parsing: document),
            let text = object["vault"]?.string, let id = Vault.ID(text), id.description == text,
            let user = try? object["userId"]?.string.map({ try UserID(parsing: $0) }),
            let token = object["link"]?.string
        else { throw .malformed }
        let box: [UInt8]
        do { box = try TokenFormat.link.payload(of: token.utf8) } catch { throw .token(error) }
        guard box.count == contentByteCount + AESGCM.overheadByteCount else { throw .malformed }
        return (id, user, box)
    }
}

// MARK: - Bytes

extension DeviceLink {
    private static let domain = Array("closer-keys/link/1".utf8)
    fileprivate static let label = "link"
    private static let keyByteCount = 32
    /// `LP("link", key, changes, digest)`.
    private static let contentByteCount = 92

    private static func cipher(_ code: borrowing Code, _ id: Vault.ID) -> AESGCM {
        let info = [UInt8](lengthPrefixed: [Array(label.utf8), id.bytes])
        return AESGCM(
            key: HKDF.derive(
                from: code.symbols, salt: domain.span, info: info.span, count: keyByteCount))
    }

    private static func associatedData(_ id: Vault.ID, _ user: UserID) -> [UInt8] {
        [UInt8](lengthPrefixed: [domain, id.bytes, Array(user.text.utf8)])
    }

    private static func content(_ key: borrowing SecretBytes, _ version: VaultVersion) -> SecretBytes {
        SecretBytes(capacity: contentByteCount) { output in
            output.append(field: label)
            key.withBytes { output.append(field: $0) }
            output.append(field: [UInt8](bigEndian: version.changeCount))
            output.append(field: version.digest)
        }
    }
}

extension DeviceLink.Opened {
    fileprivate init(content: Span<UInt8>, of id: Vault.ID) throws(VaultError) {
        var fields = RecordFields(count: content.count)
        let label = try fields.text(in: content)
        let key = try fields.secret(in: content)
        let count = try fields.number(in: content)
        let version = VaultVersion(of: id, changeCount: count, digest: try fields.digest(in: content))
        try fields.finish()
        guard label == DeviceLink.label, key.count == Credential.keyFileByteCount, let version else {
            throw .damaged
        }
        self.key = key
        self.version = version
    }
}

// MARK: - Both devices

extension Vault {
    /// A link that brings the vault's `key`, the content of its key file, to another device. The vault stays as it is.
    ///
    /// - Throws: ``DeviceLink/Failure``: `.passphrase` if that protects the vault; `.vault` with `.authenticationFailed` for another key,
    ///   and as each verb that reads.
    public func link(sharing key: borrowing SecretBytes) throws(DeviceLink.Failure) -> DeviceLink {
        do throws(VaultError) {
            let now = try current()
            _ = try now.slot.unlock(with: .key(key.withBytes { SecretBytes(copying: $0) }))
            let user = try Transaction(now.index, now.key).device.userID
            return DeviceLink(to: key, now.version, of: user, under: .random())
        } catch { throw error == .otherProtection ? .passphrase : .vault(error) }
    }
}

// MARK: - Errors

extension DeviceLink {
    /// Why a link was not made, or does not open.
    public enum Failure: Error, Equatable, Sendable {
        /// A passphrase protects the vault, which a server could guess. Give it a key first.
        case passphrase
        /// The document is no JSON object, lacks a member, or seals something else than a link.
        case malformed
        /// The document's token is refused.
        case token(TokenError)
        /// Another code, or the document was changed: the two look alike.
        case authenticationFailed
        /// The vault failed.
        case vault(VaultError)
    }
}

extension DeviceLink.Failure: WordedError {
    package var words: ErrorWords {
        switch self {
        case .passphrase:
            ErrorWords(
                .notYet, "a passphrase protects this data, and a server could guess at it",
                "protect it with a key first", typing: "closer-keys device passphrase --new-key-file")
        case .malformed: ErrorWords(.malformed, "this is not the document of a link")
        case .token(let error): error.words(of: "link")
        case .authenticationFailed:
            ErrorWords(
                .authFailed, "the link does not open: another code, or the document was changed",
                "check the code: nothing is used up")
        case .vault(let error): error.words
        }
    }

    package var appWords: ErrorWords {
        if case .vault(let error) = self { error.appWords } else { words }
    }
}
