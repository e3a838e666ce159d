public import CloserPrimitives
internal import CloserWire

/// The only door through which a keyset's keys come in or go out unencrypted.
///
/// - Important: Whoever sees the bytes has the keys. Wrap them, or keep them in a file that only you can read.
public enum InsecureCleartextKeyset {
    /// Reads a binary keyset, at most 16 KiB.
    public static func read(
        binary bytes: borrowing SecretBytes, _ reading: Reading = .lenient
    ) throws(KeysetError) -> Keyset {
        try bytes.withBytes { (bytes) throws(KeysetError) in try Keyset(binary: bytes, reading: reading) }
    }

    /// Reads a JSON keyset as tinkey prints it, at most 32 KiB of UTF-8.
    public static func read(json bytes: borrowing SecretBytes) throws(KeysetError) -> Keyset {
        try bytes.withBytes { (bytes) throws(KeysetError) in try Keyset(json: bytes) }
    }

    /// Reads either form.
    public static func read(_ bytes: borrowing SecretBytes) throws(KeysetError) -> Keyset {
        isJSON(bytes) ? try read(json: bytes) : try read(binary: bytes)
    }

    /// Whether the bytes can only be JSON: they begin with `{`, which no binary keyset does.
    public static func isJSON(_ bytes: borrowing SecretBytes) -> Bool { bytes.withBytes(beginsWithBrace) }

    /// The binary form, with 33-byte integers as Java and Go write them.
    public static func binary(_ keyset: Keyset) -> SecretBytes { keyset.binary() }

    /// Tink's JSON form, without white space, in UTF-8.
    public static func json(_ keyset: Keyset) -> SecretBytes { keyset.json() }
}

/// The door for keysets that hold nothing secret.
public enum NoSecretKeyset {
    /// Reads a binary keyset of public keys; `.holdsSecret` if it has any other.
    public static func read(
        binary bytes: some Collection<UInt8>, _ reading: Reading = .strict
    ) throws(KeysetError) -> Keyset {
        let keyset = try Keyset(binary: Array(bytes).span, reading: reading)
        try check(keyset)
        return keyset
    }

    /// Reads either form; a binary one as other Tinks write it.
    public static func read(_ bytes: some Collection<UInt8>) throws(KeysetError) -> Keyset {
        let bytes = Array(bytes)
        guard beginsWithBrace(bytes.span) else { return try read(binary: bytes, .lenient) }
        let keyset = try Keyset(json: bytes.span)
        try check(keyset)
        return keyset
    }

    /// The binary form, with 33-byte integers as Java and Go write them.
    public static func binary(_ keyset: Keyset) throws(KeysetError) -> [UInt8] {
        try check(keyset)
        return keyset.binary().withBytes { bytes in [UInt8](capacity: bytes.count) { $0.append(bytes) } }
    }

    private static func check(_ keyset: Keyset) throws(KeysetError) {
        guard keyset.kind == .eciesPublic else { throw .holdsSecret }
    }
}

private func beginsWithBrace(_ bytes: Span<UInt8>) -> Bool {
    let first = bytes.indices.first { !bytes[$0].isJSONWhiteSpace }
    return first.map { bytes[$0] == UInt8(ascii: "{") } ?? false
}
