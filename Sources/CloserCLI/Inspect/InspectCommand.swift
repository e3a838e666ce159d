internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Say what a token or a file is. Needs no key, prints no secret.")

    @Argument(
        help: ArgumentHelp("A token, a file, or - for standard input.", valueName: "token|file|-"),
        completion: .file())
    var subject: String
    @OptionGroup var output: OutputOptions

    func run() throws {
        var inputs = Inputs()
        let finding = try finding(&inputs)
        try Sink(output, .line, inputs: inputs).report(finding.lines, json: .object(finding.members))
    }

    private func finding(_ inputs: inout Inputs) throws -> Finding {
        if let finding = try Finding(token: Array(subject.utf8)) { return finding }
        // It may be a keyset, so it is read into locked memory. Only text that begins like a token is copied out of it.
        let content = try inputs.secret(subject, maximumByteCount: 2 << 20)
        guard content.withBytes(Finding.isNamed) else { return try Finding(keyset: content) }
        let text = content.withBytes { Inputs.trimmed(Array(copying: $0)) }
        guard let finding = try Finding(token: text) else { throw Finding.nothingKnown }
        return finding
    }
}

/// All that can be said about a token or a keyset without having a key and without showing one.
struct Finding {
    let members: [JSONValue.Member]
    /// The keys that it holds; people see them as a table.
    private let keyset: Keyset?

    static let nothingKnown = Failure(
        .malformed, "this is neither a token nor a keyset that closer-keys knows")

    private static let document = Failure(
        .malformed, "this is JSON, but not a keyset",
        hint: "closer-keys check says whether it is one of the app's documents")

    private static let names = ["enc:", "sealed:", "keybox:", "pub:", "sha256:"]

    /// Whether the text begins, after white space, with the name of one of our tokens.
    static func isNamed(_ bytes: Span<UInt8>) -> Bool {
        let start = Inputs.textRange(of: bytes).lowerBound
        return names.contains { name in
            name.utf8.count <= bytes.count - start
                && zip(0..., name.utf8).allSatisfy { bytes[start + $0] == $1 }
        }
    }

    /// Nil if `text` does not begin with the name of a token; throws if it does and is not a valid token.
    init?(token text: [UInt8]) throws {
        guard let name = Self.names.first(where: { text.starts(with: $0.utf8) }) else { return nil }
        switch name {
        case "enc:": try self.init("field", ciphertext: FieldToken(parsing: text).ciphertext)
        case "sealed:": try self.init("sealed answer", ciphertext: SealedToken(parsing: text).ciphertext)
        case "keybox:": try self.init("keybox", ciphertext: KeyboxToken(parsing: text).box)
        case "pub:": self.init("public key", holding: try PublicKeyToken(parsing: text).keyset)
        default:
            let digest = try Commitment(parsing: text).digest
            self.init([.init("kind", "commitment"), .init("sha256", .string(Hex.encode(digest)))])
        }
    }

    /// Throws ``nothingKnown`` for bytes that do not resemble a keyset at all.
    init(keyset bytes: borrowing SecretBytes) throws {
        do {
            let file = try KeysetFile(bytes)
            self.init(
                "keyset", holding: file.keyset,
                [
                    .init("form", .string("\(file.form)")),
                    .init("secret", .bool(file.keyset.kind != .eciesPublic)),
                ])
        } catch KeysetError.malformed, KeysetError.empty, KeysetError.tooLarge {
            throw InsecureCleartextKeyset.isJSON(bytes) ? Self.document : Self.nothingKnown
        }
    }

    /// The text that a person reads.
    var lines: String {
        guard let keyset else {
            return members.lines
        }
        let others = members.filter { !["primaryKeyId", "keys"].contains($0.name) }
        return "\(others.lines)\n\(keyset.table)"
    }

    private init(_ members: [JSONValue.Member], _ keyset: Keyset? = nil) {
        (self.members, self.keyset) = (members, keyset)
    }

    private init(_ kind: String, holding keyset: Keyset, _ details: [JSONValue.Member] = []) {
        self.init([.init("kind", .string(kind))] + details + keyset.summary, keyset)
    }

    /// The prefix and key id are only a guess: a ciphertext without a prefix may begin with the same bytes.
    private init(_ kind: String, ciphertext: [UInt8]) throws {
        guard ciphertext.count >= KeysetAEAD.minimumByteCount else { throw OpenError.tooShort }
        var members: [JSONValue.Member] = [
            .init("kind", .string(kind)), .init("ciphertextBytes", .number(Double(ciphertext.count))),
        ]
        if ciphertext[0] <= 1 {
            let id = ciphertext[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            members.append(.init("prefix", ciphertext[0] == 1 ? "tink" : "crunchy or legacy"))
            members.append(.init("keyId", .number(Double(id))))
        }
        self.init(members)
    }
}
