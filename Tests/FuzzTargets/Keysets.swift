internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Keysets of all kinds, strict and lenient, and what their owner may do with them.
enum Keysets {
    static func binary(_ bytes: [UInt8]) {
        let secret = SecretBytes(copying: bytes.span)
        if let keyset = told({ try InsecureCleartextKeyset.read(binary: secret) }) {
            let written = written(keyset)
            // What we write is read strictly, and written the same.
            let again = SecretBytes(copying: written.span)
            guard let second = try? InsecureCleartextKeyset.read(binary: again, .strict) else {
                preconditionFailure("our own keyset is refused")
            }
            precondition(self.written(second) == written)
            change(keyset)
        }
        if let keyset = told({ try InsecureCleartextKeyset.read(binary: secret, .strict) }) {
            // The integers may be written in two ways.
            precondition(written(keyset).count >= bytes.count)
        }
        if let keyset = told({ try NoSecretKeyset.read(binary: bytes) }) {
            guard let written = try? NoSecretKeyset.binary(keyset) else { preconditionFailure("not written") }
            precondition((try? NoSecretKeyset.read(binary: written)) != nil)
        }
    }

    static func json(_ bytes: [UInt8]) {
        let secret = SecretBytes(copying: bytes.span)
        // Of either form: JSON is known by its first byte.
        if let keyset = told({ try NoSecretKeyset.read(bytes) }) {
            precondition(told({ try InsecureCleartextKeyset.read(secret) }).map(written) == written(keyset))
        }
        guard let keyset = told({ try InsecureCleartextKeyset.read(json: secret) }) else { return }
        precondition(told({ try InsecureCleartextKeyset.read(secret) }).map(written) == written(keyset))
        let json = InsecureCleartextKeyset.json(keyset)
        guard let second = try? InsecureCleartextKeyset.read(json: json) else {
            preconditionFailure("our own JSON keyset is refused")
        }
        precondition(written(second) == written(keyset))
    }

    // MARK: - Changes

    /// Whatever was read may be changed, key by key, and each change is a keyset again, or is refused with a reason.
    private static func change(_ keyset: Keyset) {
        precondition(keyset.description == "Keyset(\(keyset.entries.count) keys, redacted)")
        precondition(keyset.entries.allSatisfy { !$0.typeName.isEmpty })
        // Each is written and read again, with a multiplication for each private key.
        for entry in keyset.entries.prefix(3) {
            check(told { try keyset.promoting(entry.id) })
            check(told { try keyset.disabling(entry.id) })
            check(told { try keyset.enabling(entry.id) })
            check(told { try keyset.removing(entry.id) })
            check(told { try keyset.keeping { $0.id != entry.id } })
        }
        check(told { try keyset.publicKeyset() })
        check(told { try keyset.publicPrimary() })
        check(told { try keyset.appending(keyset.entries) })
        check(told { try keyset.adding(.aes256GCM) })
        check(told { try keyset.rotating() })
        check(told { try keyset.promoting(keyset.primaryID &+ 1) })
        if let lane = try? KeysetAEAD(keyset).forThread() { roundTrip(lane) }
        seal(keyset)
    }

    private static func check(_ keyset: Keyset?) {
        guard let keyset else { return }
        let bytes = SecretBytes(copying: written(keyset).span)
        precondition((try? InsecureCleartextKeyset.read(binary: bytes, .strict)) != nil)
        precondition(keyset.primary.status == .enabled)
    }

    // MARK: - Use

    private static let text = Array("a text".utf8)

    private static func roundTrip(_ aead: KeysetAEAD) {
        let sealed = aead.seal(text, associatedData: text)
        precondition((try? aead.open(sealed, associatedData: text))?.plaintext == text)
    }

    /// To whomever a stranger's public key belongs: it seals, and the private half, if it is there, opens.
    private static func seal(_ keyset: Keyset) {
        let secret = SecretBytes(copying: text.span)
        guard let sealed = told({ try HybridBox.seal(secret, to: keyset.publicPrimary(), context: text) })
        else {
            precondition((try? HybridBox.seal(secret, to: keyset, context: text)) == nil)
            return
        }
        guard keyset.primary.material?.kind == .eciesPrivate else { return }
        do {
            let opened = try HybridBox.open(sealed, with: keyset, context: text).takePlaintext()
            precondition(opened.isEqual(to: secret))
        } catch { preconditionFailure("our own box does not open") }
    }

    private static func written(_ keyset: Keyset) -> [UInt8] {
        InsecureCleartextKeyset.binary(keyset).withBytes { Array(copying: $0) }
    }
}
