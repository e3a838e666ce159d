internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

// What may be said of a keyset: everything but its keys.

extension Keyset {
    /// As JSON members.
    var summary: [JSONValue.Member] {
        [
            .init("primaryKeyId", .number(Double(primaryID))),
            .init("keys", .array(entries.map { entry in entry.summary(isPrimary: isPrimary(entry)) })),
        ]
    }

    /// As lines: id, type, status, prefix, and which is the primary.
    var table: String {
        entries.map { entry in
            let words = ["\(entry.id)", entry.type, "\(entry.status)", "\(entry.prefix)"]
            return (words + (isPrimary(entry) ? ["primary"] : [])).joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private func isPrimary(_ entry: KeyEntry) -> Bool { entry.id == primaryID && entry.status == .enabled }
}

extension KeyEntry {
    func summary(isPrimary: Bool) -> JSONValue {
        [
            "keyId": .number(Double(id)), "type": .string(type), "status": .string("\(status)"),
            "prefix": .string("\(prefix)"), "primary": .bool(isPrimary),
        ]
    }

    /// The name that `keyset new --type` takes, with what differs from its defaults.
    var type: String {
        switch material {
        case .aesGCM: "aes256-gcm"
        case .eciesPrivate(let key): "ecies-p256" + key.publicKey.parameters.departures
        case .eciesPublic(let key): "ecies-p256-public" + key.parameters.departures
        case .streaming(let key): key.parameters.name
        case nil: "destroyed"
        }
    }

    /// What makes another key like this one.
    var template: KeyTemplate {
        get throws {
            switch material {
            case .aesGCM: .aes256GCM
            case .eciesPrivate(let key): .ecies(key.publicKey.parameters)
            case .streaming(let key): .streaming(key.parameters)
            case .eciesPublic, nil: throw KeysetError.wrongKind(expected: .eciesPrivate)
            }
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
