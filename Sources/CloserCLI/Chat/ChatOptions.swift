internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

/// Which chat, and its key, or the two keys that it is derived from.
struct ChatKeyOptions: ParsableArguments {
    enum Profile: String, CaseIterable, ExpressibleByArgument {
        case fitlink, fond

        /// The members that a message has in a line of `--jsonl`.
        var members: [JSONLine.Name] { self == .fitlink ? Self.fitlinkMembers : Self.fondMembers }

        private static let fitlinkMembers = FitLinkMessage.memberNames.map(JSONLine.Name.init)
        private static let fondMembers = [JSONLine.Name("field")]
    }

    @Option(help: "FitLink's JSON documents, or Fond's base64.")
    var profile: Profile
    @OptionGroup var privateKey: PrivateKeyOptions
    @Option("The other side's X25519 public key, base64.", value: "key") var peerKey: String?
    @Option(file: "The chat's own key, instead of the two keys.") var chatKeyFile: String?
    @Option("fitlink: the chat, two user ids in bytewise order with _ between.", value: "id")
    var chat: String?
    @OptionGroup var derivation: DerivationOptions
    @Flag(help: "fitlink: also where the person's app binds messages.")
    var allowUnbound = false

    var inputNames: [InputName] { [.file(chatKeyFile)] + privateKey.inputNames }

    /// The key that seals, and behind it those of before a renewal. Before a text is sealed it is said if the server may hold the key.
    func read(_ inputs: inout Inputs, sealing: Bool = false) throws -> [ChatKey] {
        if let chatKeyFile { return [try adopted(chatKeyFile, &inputs)] }
        guard let peerKey else {
            throw CLIError(
                .usage, "missing expected argument '--peer-key <key>'",
                hint: "or name the chat's own key with --chat-key-file")
        }
        let theirs = try X25519PublicKey(parsing: peerKey)
        let tell = { (vault: Vault) in
            if let chat, !allowUnbound {
                try vault.checkUnbound(in: ChatID(parsing: chat), with: theirs)
            }
            if sealing { try vault.tellIfServerNamed(theirs) }
        }
        switch profile {
        case .fitlink:
            guard !derivation.isGiven else {
                throw CLIError(.usage, "--salt, --salt-hex and --info go with --profile fond")
            }
            guard let chat else { throw CLIError(.usage, "--profile fitlink needs --chat") }
            let id = try ChatID(parsing: chat)
            return try keys(&inputs, tell) { try ChatKey(fitLink: id, ours: $0, theirs: theirs) }
        case .fond:
            guard chat == nil else { throw CLIError(.usage, "--chat goes with --profile fitlink") }
            let salt = try derivation.saltBytes
            let info = derivation.info.map { Array($0.utf8) } ?? ChatKey.fondInfo
            return try keys(&inputs, tell) { try ChatKey(fond: $0, theirs: theirs, salt: salt, info: info) }
        }
    }

    private func keys(
        _ inputs: inout Inputs, _ tell: (Vault) throws -> Void, _ make: (X25519PrivateKey) throws -> ChatKey
    ) throws -> [ChatKey] {
        let ours = try privateKey.read(&inputs, tell)
        return try ([ours.key] + ours.former).map(make)
    }
}

extension ChatKeyOptions {
    private func adopted(_ path: String, _ inputs: inout Inputs) throws -> ChatKey {
        guard peerKey == nil, chat == nil, privateKey.privateKeyFile == nil, !derivation.isGiven else {
            throw CLIError(
                .usage,
                "--chat-key-file is the chat's key, so no --peer-key, --private-key-file, --chat, --salt or --info"
            )
        }
        try privateKey.refuseVault(besides: "--chat-key-file")
        let content = try inputs.secret(path, maximumByteCount: SecretSource.maximumByteCount)
        inputs.warnIfOpenToOthers(path)
        let key = content.withBytes { bytes -> ChatKey? in
            do { return ChatKey(adopting: try Inputs.key(in: bytes)) } catch { return nil }
        }
        guard let key else {
            throw CLIError(.malformed, "a chat key file holds exactly 32 bytes, as they are or in base64")
        }
        return key
    }
}

extension Vault {
    /// Warns that the server may have named its own key as the partner's. A pairing shows whose key it is.
    fileprivate func tellIfServerNamed(_ peerKey: X25519PublicKey) throws {
        let couples = try overviews.filter { $0.couple != nil }
        let isPaired = couples.contains { $0.partners.contains { $0.x25519Key == peerKey } }
        guard !isPaired, !couples.isEmpty else { return }
        Diagnostics.note(
            "no pairing brought this peer key: if the server named it, the server may hold the chat's key",
            next: NextCommand.line("x25519 safety-number --partner USER --peer-key \(peerKey.description)")
        )
    }
}

/// The type of a value of Fond.
struct FondValueOptions: ParsableArguments {
    @Option("fond: what the value is.", value: "type") var type: Named<FondValue.Kind>?

    func check(_ profile: ChatKeyOptions.Profile) throws {
        guard type == nil || profile == .fond else {
            throw CLIError(.usage, "--type goes with --profile fond")
        }
    }

    var of: FondValueType { FondValueType(kind: type?.value) }
}

/// What values of Fond must be; nil to leave that open.
struct FondValueType: Sendable {
    let kind: FondValue.Kind?

    /// The plaintext in the form in which it is sealed. By default it is a text.
    func normalized(_ plaintext: [UInt8]) throws -> [UInt8] {
        let kind = kind ?? .text
        do { return try FondValue(parsing: plaintext, as: kind).bytes } catch {
            throw CLIError(.malformed, kind.requirement)
        }
    }

    /// Refuses an opened plaintext of another type than the named one.
    func checkOpened(_ plaintext: [UInt8]) throws {
        guard let kind else { return }
        do { _ = try FondValue(parsing: plaintext, as: kind) } catch {
            throw CLIError(.malformed, "it opened, and is not what --type says: \(kind.requirement)")
        }
    }
}

extension FondValue.Kind: NamedValue {
    fileprivate var requirement: String {
        switch self {
        case .text: "a text is UTF-8"
        case .status: "a status is UTF-8"
        case .location:
            #"a location is {"lat":…,"lon":…}, with degrees up to 90 and 180, and no other members"#
        case .heartbeat: #"a heartbeat is {"bpm":…}, above 0 and at most 999, and no other members"#
        }
    }
}
