internal import CloserPrimitives
internal import CloserWire

/// A secret in a record: one owner of the bytes, which copies of the record share.
final class StoredSecret: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    func copy() -> SecretBytes { bytes.withBytes { SecretBytes(copying: $0) } }

    /// For one step, which ends with the call.
    func shortLivedCopy() -> SecretBytes {
        SecretBytes(shortLived: bytes.count) { output in bytes.withBytes { output.append($0) } }
    }
}

extension RecordFields {
    /// The secret in a field; nil if it is empty.
    mutating func storedSecret(in bytes: Span<UInt8>) throws(VaultError) -> StoredSecret? {
        let secret = try secret(in: bytes)
        return secret.count == 0 ? nil : StoredSecret(secret)
    }
}

extension OutputSpan where Element == UInt8 {
    mutating func append(field secret: StoredSecret?) {
        guard let secret else { return append(field: [] as [UInt8]) }
        secret.bytes.withBytes { append(field: $0) }
    }
}
