internal import CloserWire

/// What the server stores of a device: its public key, and what it runs on (closer-keys-formats(7), DOCUMENTS).
public struct DeviceDocument: Sendable {
    /// The device's public key. Only a comparison of safety numbers shows whether the server tells the truth.
    public let publicKey: PublicKeyToken
    /// 1 to 128 bytes of UTF-8, such as `ios`.
    public let platform: String

    /// The document of a device of ours.
    ///
    /// - Throws: `platform.platform` unless `platform` has 1 to 128 bytes.
    public init(_ publicKey: PublicKeyToken, platform: String) throws(DocumentError) {
        guard Self.isPlatform(platform) else { throw .broken([BrokenRule("platform", .platform)]) }
        (self.publicKey, self.platform) = (publicKey, platform)
    }

    /// Parses the JSON document.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        let reader = try DocumentReader(bytes.span, as: .device)
        publicKey = reader.parsed("publicKey", in: bytes.span) { try PublicKeyToken(parsing: $0.utf8) }
        platform = reader.parsed("platform", in: bytes.span) { $0 }
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let object: JSONValue = [
            "publicKey": .string(publicKey.description), "platform": .string(platform),
        ]
        return object.bytes
    }

    static func isPlatform(_ text: String) -> Bool { (1...128).contains(text.utf8.count) }
}
