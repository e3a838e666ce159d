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
