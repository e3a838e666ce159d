internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Say what a token or a file looks like. Needs no key.")

    @Argument(
        help: ArgumentHelp("A token, a file, or - for standard input.", valueName: "token|file|-"),
        completion: .file())
    var subject: String
    @OptionGroup(title: "Output options") var output: OutputOptions

    func run() throws {
        var inputs = Inputs()
        let finding = try finding(&inputs)
        try Output(output, .line, inputs: inputs).report(finding.lines, json: .object(finding.members))
    }

    private func finding(_ inputs: inout Inputs) throws -> Finding {
        let typed = Array(subject.utf8)
        if let finding = try Finding(reading: typed, FileKind(typed.span)) { return finding }
        do { return try finding(in: try inputs.secret(subject, maximumByteCount: 2 << 20)) } catch FileError
            .tooLarge
        {
            guard isVault else { throw Finding.nothingKnown }
            return Finding(vaultAt: subject)
        }
    }

    /// It may be a secret, so it was read into locked memory. Only what is a token is copied out of it.
    private func finding(in content: borrowing SecretBytes) throws -> Finding {
        switch content.withBytes({ FileKind($0) }) {
        case .vault? where isVault: return Finding(vaultAt: subject)
        case .keyset?, nil: return try Finding(keyset: content)
        case let known?:
            let text = known.isToken ? content.withBytes { Inputs.trimmed(Array(copying: $0)) } : []
            return try Finding(reading: text, known) ?? Finding(offer: content, known)
                ?? Finding(known, content.count)
        }
    }

    private var isVault: Bool { (try? LockedVault(at: subject)) != nil }
}

/// What a token or a file tells a reader who has no key. Keys themselves are left out.
struct Finding {
    let members: [JSONValue.Member]
    /// The keys that it holds; people see them as a table.
    private let keyset: Keyset?

    fileprivate static let nothingKnown = CLIError(
        .malformed, "this is nothing that closer-keys knows",
        hint: "sealed files and other binary ciphertexts look like random bytes")

    /// Nil if the text resembles no token; throws for a malformed one.
    init?(reading text: [UInt8], _ kind: FileKind?) throws {
        guard let kind, kind.isToken else { return nil }
        do { try self.init(token: text, kind) } catch let error as TokenError {
            throw CLIError(error, noun: kind.name)
        } catch {
            // The hint of its own would be this command.
            let error = CLIError(error)
            let isOwn = error.hint?.hasPrefix("closer-keys inspect") ?? true
            throw isOwn ? CLIError(error.id, error.message) : error
        }
    }

    private init?(token text: [UInt8], _ kind: FileKind?) throws {
        switch kind {
        case .field:
            let token = try FieldToken(parsing: text)
            let bound = JSONValue.Member("bound", .bool(token.form.isBound))
            try self.init(.field, ciphertext: token.ciphertext, [bound])
        case .sealedAnswer: try self.init(.sealedAnswer, ciphertext: SealedToken(parsing: text).ciphertext)
        case .keybox: try self.init(.keybox, ciphertext: KeyboxToken(parsing: text).box)
        case .publicKey: self.init(.publicKey, holding: try PublicKeyToken(parsing: text).keyset)
        case .commitment:
            let digest = try Commitment(parsing: text).digest
            self.init(.commitment, [.init("sha256", .string(Hex.encode(digest)))])
        case .linkToken: self.init(.linkToken, try TokenFormat.link.payload(of: text).count)
        case .chatToken:
            let token = try ChatToken(parsing: text)
            let numbers = [Int(token.senderIndex), Int(token.recipientIndex), (text.count - 8) * 3 / 4]
            let members = zip(["senderIndex", "recipientIndex", "bytes"], numbers)
            self.init(.chatToken, members.map { .init($0, .number(Double($1))) })
        default: return nil
        }
    }

    /// What is secret or sealed is shown as its kind and its size.
    init(_ kind: FileKind, _ byteCount: Int) {
        let check = kind.document.map {
            JSONValue.Member("check", .string("closer-keys check --kind \($0.rawValue)"))
        }
        let next = kind.remedy.map { JSONValue.Member("next", .string($0)) }
        self.init(kind, [.init("bytes", .number(Double(byteCount)))] + [check, next].compactMap { $0 })
    }

    /// Who made a pairing's offer, and for which couple; nil for anything else.
    init?(offer content: borrowing SecretBytes, _ kind: FileKind) {
        guard kind.document == .pairOffer,
            let offer = try? PairOffer(parsing: content.withBytes { [UInt8](copying: $0) })
        else { return nil }
        let whole = Finding(kind, content.count)
        members =
            whole.members + [
                .init("userId", .string(offer.inviter.user.text)),
                .init("coupleId", .string(offer.couple.text)),
            ]
        keyset = nil
    }

    /// What a vault's outer form says, unauthenticated.
    init(vaultAt path: String) {
        let protection = (try? LockedVault(at: path))?.protection
        let name = protection.map { $0 == .key ? "keyFile" : "passphrase" }
        self.init(.vault, name.map { [.init("protection", .string($0))] } ?? [])
    }

    /// Throws unless the bytes resemble a keyset.
    init(keyset bytes: borrowing SecretBytes) throws {
        let file: KeysetFile
        do { file = try KeysetFile(bytes) } catch { throw Self.fault(error, in: bytes) }
        let isSecret = file.keyset.kind != .eciesPublic
        self.init(
            .keyset, holding: file.keyset,
            [.init("form", .string("\(file.form)")), .init("secret", .bool(isSecret))])
    }

    private static func fault(_ error: any Error, in bytes: borrowing SecretBytes) -> any Error {
        switch error as? KeysetError {
        case .malformed, .empty, .tooLarge:
            InsecureCleartextKeyset.isJSON(bytes) ? document : bytes.withBytes { nothing($0) }
        default: error
        }
    }

    /// The fault of a text that would be recognised if it were saved as others are.
    private static func nothing(_ bytes: Span<UInt8>) -> CLIError {
        let text = bytes.extracting(Inputs.textRange(of: bytes))
        guard let fault = Misspelling(wrapping: text) else { return nothingKnown }
        guard fault != .quoted || text.count > 2 && FileKind(text.extracting(1..<text.count - 1)) != nil
        else { return nothingKnown }
        return CLIError(fault.words)
    }

    private static let document = CLIError(.malformed, "this is JSON of a kind unknown to closer-keys")

    /// The text that a person reads.
    var lines: String {
        guard let keyset else {
            return members.lines
        }
        let others = members.filter { !["primaryKeyId", "keys"].contains($0.name) }
        return "\(others.lines)\n\(keyset.table)"
    }

    private init(_ kind: FileKind, _ details: [JSONValue.Member], _ keyset: Keyset? = nil) {
        let known: [JSONValue.Member] = [
            .init("kind", .string(kind.name)),
            .init("certainty", .string(kind.certainty.rawValue)),
        ]
        (members, self.keyset) = (known + details, keyset)
    }

    private init(_ kind: FileKind, holding keyset: Keyset, _ details: [JSONValue.Member] = []) {
        self.init(kind, details + keyset.summary, keyset)
    }

    /// The prefix and key id are only a guess: a RAW ciphertext may begin with the same bytes.
    private init(_ kind: FileKind, ciphertext: [UInt8], _ others: [JSONValue.Member] = []) throws {
        guard ciphertext.count >= KeysetAEAD.minimumByteCount else { throw OpenError.tooShort }
        var details = others + [.init("ciphertextBytes", .number(Double(ciphertext.count)))]
        if let id = OutputPrefix.keyID(namedBy: ciphertext) {
            details.append(.init("prefix", ciphertext[0] == 1 ? "tink" : "crunchy or legacy"))
            details.append(.init("keyId", .number(Double(id))))
        }
        self.init(kind, details)
    }
}
