/// HMAC with SHA-256 (RFC 2104): 32 bytes that only a holder of the key can make.
package enum HMACSHA256 {
    /// 32 bytes, always the whole tag.
    package static let byteCount = 32

    /// The tag of `message`, 32 bytes. To compare one take ``isValid(_:of:key:)``.
    package static func tag(of message: Span<UInt8>, key: borrowing SecretBytes) -> [UInt8] {
        [UInt8](capacity: byteCount) { output in
            key.withBytes { SHA2.appendHMAC(of: message, key: $0, to: &output) }
        }
    }

    /// Whether `tag` is that of `message`, compared in constant time. A tag of another length is invalid.
    package static func isValid(_ tag: Span<UInt8>, of message: Span<UInt8>, key: borrowing SecretBytes)
        -> Bool
    {
        ConstantTime.isEqual(self.tag(of: message, key: key).span, tag)
    }
}
