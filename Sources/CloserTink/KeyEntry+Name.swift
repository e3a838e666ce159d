// What a key is called by people and scripts.

extension KeyEntry {
    /// The name that `keyset new --type` takes, with what differs from its defaults.
    package var typeName: String {
        switch material {
        case .aesGCM: "aes256-gcm"
        case .eciesPrivate(let key): "ecies-p256" + key.publicKey.parameters.departures
        case .eciesPublic(let key): "ecies-p256-public" + key.parameters.departures
        case .streaming(let key): key.parameters.name
        case nil: "destroyed"
        }
    }
}

extension StreamingParameters {
    /// Tink's name of the template; a segment that no template has is given in bytes.
    fileprivate var name: String {
        switch self {
        case .oneMiB: "aes256-gcm-hkdf-1mb"
        case .fourKiB: "aes256-gcm-hkdf-4kb"
        default: "aes256-gcm-hkdf-\(segmentByteCount)b"
        }
    }
}

extension ECIESParameters {
    fileprivate var departures: String {
        (pointFormat == .compressed ? "+compressed" : "") + (dem == .aes256GCM ? "+aes256-gcm" : "")
            + (salt.isEmpty ? "" : "+salt")
    }
}
