internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// A keyset that was read from a file, and the form that it has there.
struct KeysetFile {
    /// How a keyset is written.
    enum Form: String, CaseIterable, ExpressibleByArgument { case binary, json }

    let keyset: Keyset
    let form: Form

    init(_ bytes: borrowing SecretBytes) throws(KeysetError) {
        form = InsecureCleartextKeyset.isJSON(bytes) ? .json : .binary
        keyset = try InsecureCleartextKeyset.read(bytes)
    }
}

extension Inputs {
    /// A keyset file, binary or JSON.
    mutating func keyset(_ path: String) throws -> KeysetFile {
        let bytes = try secret(path, maximumByteCount: Keyset.maximumJSONByteCount)
        return try keyset(bytes, at: path)
    }

    /// A keyset file, or one with a public key's token.
    mutating func keysetOrPublicKey(_ path: String) throws -> Keyset {
        let bytes = try secret(path, maximumByteCount: Keyset.maximumJSONByteCount)
        guard bytes.withBytes({ FileKind($0) }) == .publicKey else {
            return try keyset(bytes, at: path).keyset
        }
        return try bytes.withBytes { try PublicKeyToken(parsing: Self.trimmed(Array(copying: $0))).keyset }
    }

    private func keyset(_ bytes: borrowing SecretBytes, at path: String) throws -> KeysetFile {
        let file = try bytes.withBytes { try FileKind.keyset.read($0) { try KeysetFile(bytes) } }
        if file.keyset.kind != .eciesPublic { warnIfOpenToOthers(path) }
        return file
    }
}

extension Keyset {
    /// Writes the keyset as a result. Only public keys may be shown.
    func write(_ form: KeysetFile.Form, to output: OutputOptions, inputs: Inputs) throws {
        let isPublic = kind == .eciesPublic
        let kind: OutputKind =
            switch form {
            case .json: isPublic ? .line : .secretLine
            case .binary: isPublic ? .binary : .secret
            }
        try Output(output, kind, inputs: inputs).deliver(written(form), named: "keyset", details: summary)
    }

    private func written(_ form: KeysetFile.Form) -> SecretBytes {
        switch form {
        case .binary: InsecureCleartextKeyset.binary(self)
        case .json: InsecureCleartextKeyset.json(self)
        }
    }
}

// What may be shown of a keyset: everything but the key material.
extension Keyset {
    var summary: [JSONValue.Member] {
        [
            .init("primaryKeyId", .number(Double(primaryID))),
            .init("keys", .array(entries.map { entry in entry.summary(isPrimary: isPrimary(entry)) })),
        ]
    }

    /// The lines: id, type, status, prefix, and which is the primary.
    var table: String {
        entries.map { entry in
            let words = ["\(entry.id)", entry.typeName, "\(entry.status)", "\(entry.prefix)"]
            return (words + (isPrimary(entry) ? ["primary"] : [])).joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private func isPrimary(_ entry: KeyEntry) -> Bool { entry.id == primaryID && entry.status == .enabled }
}

extension KeyEntry {
    func summary(isPrimary: Bool) -> JSONValue {
        [
            "keyId": .number(Double(id)), "type": .string(typeName), "status": .string("\(status)"),
            "prefix": .string("\(prefix)"), "primary": .bool(isPrimary),
        ]
    }
}

extension KeysetError {
    /// Whether the bytes are almost a keyset: then this error says more than what they look like.
    var isOfNearKeyset: Bool {
        switch self {
        case .encrypted, .faultyMember, .lineBreak: true
        default: false
        }
    }
}
