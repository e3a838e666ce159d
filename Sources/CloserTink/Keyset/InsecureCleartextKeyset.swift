public import CloserPrimitives
internal import CloserWire

/// Reads and writes keysets with their secret keys unencrypted, as the only type that does. Tink has the same name for it.
///
/// - Important: An attacker who sees the bytes has the keys. Wrap them, or keep them in a file that only you can read.
public enum InsecureCleartextKeyset {
    /// Reads a binary keyset, at most 16 KiB.
    ///
    /// - Throws: ``KeysetError``, as all that read.
    public static func read(
        binary bytes: borrowing SecretBytes, _ reading: Keyset.Reading = .lenient
    ) throws(KeysetError) -> Keyset {
        try bytes.withBytes { (bytes) throws(KeysetError) in try read(binary: bytes, reading) }
    }

    /// Reads a keyset from memory that the caller wipes.
    package static func read(binary bytes: Span<UInt8>, _ reading: Keyset.Reading) throws(KeysetError)
        -> Keyset
    {
        try Keyset(binary: bytes, reading: reading)
    }

    /// Reads a JSON keyset as tinkey prints it, at most 32 KiB of UTF-8.
    public static func read(json bytes: borrowing SecretBytes) throws(KeysetError) -> Keyset {
        try bytes.withBytes { (bytes) throws(KeysetError) in try Keyset(json: bytes) }
    }

    /// Reads either form.
    public static func read(_ bytes: borrowing SecretBytes) throws(KeysetError) -> Keyset {
        isJSON(bytes) ? try read(json: bytes) : try read(binary: bytes)
    }

    /// Whether the bytes can only be JSON: they begin with `{`, unlike every binary keyset.
    public static func isJSON(_ bytes: borrowing SecretBytes) -> Bool { bytes.withBytes(beginsWithBrace) }

    /// The binary form, with 33-byte integers as Java and Go write them.
    public static func binary(_ keyset: Keyset) -> SecretBytes { keyset.binary() }

    /// Tink's JSON form, without white space, in UTF-8.
    public static func json(_ keyset: Keyset) -> SecretBytes { keyset.json() }
}

/// Reads and writes public keysets, and refuses all others.
public enum NoSecretKeyset {
    /// Reads a binary keyset of public keys.
    ///
    /// - Throws: `.holdsSecret` if it has any other key, and every ``KeysetError`` of reading.
    public static func read(
        binary bytes: some Collection<UInt8>, _ reading: Keyset.Reading = .strict
    ) throws(KeysetError) -> Keyset {
        let keyset = try Keyset(binary: Array(bytes).span, reading: reading)
        try check(keyset)
        return keyset
    }

    /// Reads either form. A binary keyset may be as other implementations of Tink write it.
    ///
    /// - Throws: `.holdsSecret` if it has any other key, and every ``KeysetError`` of reading.
    public static func read(_ bytes: some Collection<UInt8>) throws(KeysetError) -> Keyset {
        let bytes = Array(bytes)
        guard beginsWithBrace(bytes.span) else { return try read(binary: bytes, .lenient) }
        let keyset = try Keyset(json: bytes.span)
        try check(keyset)
        return keyset
    }

    /// The binary form, with 33-byte integers as Java and Go write them.
    ///
    /// - Throws: `.holdsSecret`.
    public static func binary(_ keyset: Keyset) throws(KeysetError) -> [UInt8] {
        try check(keyset)
        return keyset.openBinary()
    }

    /// Tink's JSON form, without white space, in UTF-8.
    ///
    /// - Throws: `.holdsSecret`.
    public static func json(_ keyset: Keyset) throws(KeysetError) -> [UInt8] {
        try check(keyset)
        return InsecureCopy.bytes(keyset.json())
    }

    private static func check(_ keyset: Keyset) throws(KeysetError) {
        guard keyset.kind == .eciesPublic else { throw .holdsSecret }
    }
}

private func beginsWithBrace(_ bytes: Span<UInt8>) -> Bool {
    let first = bytes.indices.first { !bytes[$0].isJSONWhiteSpace }
    return first.map { bytes[$0] == UInt8(ascii: "{") } ?? false
}
