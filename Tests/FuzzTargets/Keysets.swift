internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Keysets of all kinds, strict and lenient.
enum Keysets {
    static func binary(_ bytes: [UInt8]) {
        let secret = SecretBytes(copying: bytes.span)
        if let keyset = try? InsecureCleartextKeyset.read(binary: secret) {
            let written = written(keyset)
            // What we write is read strictly, and written the same.
            let again = SecretBytes(copying: written.span)
            guard let second = try? InsecureCleartextKeyset.read(binary: again, .strict) else {
                preconditionFailure("our own keyset is refused")
            }
            precondition(self.written(second) == written)
        }
        if let keyset = try? InsecureCleartextKeyset.read(binary: secret, .strict) {
            // The integers may be written in two ways.
            precondition(written(keyset).count >= bytes.count)
        }
        if let keyset = try? NoSecretKeyset.read(binary: bytes) {
            guard let written = try? NoSecretKeyset.binary(keyset) else { preconditionFailure("not written") }
            precondition((try? NoSecretKeyset.read(binary: written)) != nil)
        }
    }

    static func json(_ bytes: [UInt8]) {
        let secret = SecretBytes(copying: bytes.span)
        guard let keyset = try? InsecureCleartextKeyset.read(json: secret) else { return }
        let json = InsecureCleartextKeyset.json(keyset)
        guard let second = try? InsecureCleartextKeyset.read(json: json) else {
            preconditionFailure("our own JSON keyset is refused")
        }
        precondition(written(second) == written(keyset))
    }

    private static func written(_ keyset: Keyset) -> [UInt8] {
        InsecureCleartextKeyset.binary(keyset).withBytes { Array(copying: $0) }
    }
}
