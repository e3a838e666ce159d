internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Cases under a keyset of symmetric keys: bare, as a field of a couple, as a stream.
enum LiveKeysets {
    @Sendable static func openAEAD() throws -> LiveCase {
        let keyset = try Draw.keyset(.aes256GCM), aead = try KeysetAEAD(keyset)
        let box = DrawnBox(in: Draw.bytes(0...64), behind: keyset.primary.prefix.byteCount) {
            aead.seal($0, associatedData: $1)
        }
        return box.opening([
            "keyset": keyset.hex, "ciphertext": .hexText(box.bytes), "associatedData": .hexText(box.context),
        ])
    }

    @Sendable static func sealAEAD() throws -> LiveCase {
        let keyset = try Draw.keyset(.aes256GCM), prefix = keyset.primary.prefix.byteCount
        let data: JSONValue = ["associatedData": .hexText(Draw.bytes(0...64))]
        return try sealing(keyset, data, read: "aead.open", "ciphertext") {
            Array(try $0.hex("ciphertext").dropFirst(prefix).prefix(AESGCM.nonceByteCount))
        }
    }

    @Sendable static func openField() throws -> LiveCase {
        let keyset = try Draw.keyset(.aes256GCM), key = try CoupleKey(keyset)
        let box = try DrawnBox(in: Draw.identifier().bytes, behind: keyset.primary.prefix.byteCount) {
            try key.seal(field: $0, couple: Identifier(parsing: String(decoding: $1, as: UTF8.self)))
                .ciphertext
        }
        return box.opening([
            "keyset": keyset.hex, "token": .string(try FieldToken(box.bytes).description),
            "coupleId": .string(box.contextText),
        ])
    }

    @Sendable static func sealField() throws -> LiveCase {
        let keyset = try Draw.keyset(.aes256GCM), prefix = keyset.primary.prefix.byteCount
        let couple: JSONValue = ["coupleId": .string(try Draw.identifier().text)]
        return try sealing(keyset, couple, read: "field.open", "token") {
            Array(
                try FieldToken(parsing: $0.text("token")).ciphertext.dropFirst(prefix).prefix(
                    AESGCM.nonceByteCount))
        }
    }

    /// What names the key is the whole stream: its first byte is the header's length, and another is no stream.
    @Sendable static func openStream() throws -> LiveCase {
        let keyset = try streamKeyset(), aead = try StreamingAEAD(keyset)
        let box = try DrawnBox(in: Draw.bytes(0...64), behind: 1) { try aead.seal($0, associatedData: $1) }
        return box.opening([
            "keyset": keyset.hex, "ciphertext": .hexText(box.bytes), "associatedData": .hexText(box.context),
        ])
    }

    @Sendable static func sealStream() throws -> LiveCase {
        let data: JSONValue = ["associatedData": .hexText(Draw.bytes(0...64))]
        return try sealing(try streamKeyset(), data, read: "stream.open", "ciphertext") {
            Array(try $0.hex("ciphertext").prefix(40))
        }
    }

    /// Read back with the primary alone: no other key may have been taken.
    private static func sealing(
        _ keyset: Keyset, _ context: JSONValue, read operation: String, _ output: String,
        drawn: @escaping (VectorInput) throws -> [UInt8]
    ) throws -> LiveCase {
        let plaintext = Draw.plaintext()
        let input = context.adding("keyset", keyset.hex).adding("plaintext", .hexText(plaintext))
        return LiveCase(
            comment: "\(plaintext.count) bytes", sealing: input,
            ReadBack(
                operation: operation, input: context.adding("keyset", try keyset.primaryAlone.hex),
                outputMembers: [output], expected: .hex("plaintext", plaintext), drawn: drawn))
    }

    private static func streamKeyset() throws -> Keyset {
        try Draw.keyset(.streaming(Draw.pick([.oneMiB, .fourKiB])), prefixes: [.raw])
    }
}

extension Keyset {
    /// In binary and in the clear.
    var hex: JSONValue { .hexText(InsecureCleartextKeyset.binary(self).withBytes { Array(copying: $0) }) }

    /// Without any other key.
    var primaryAlone: Keyset {
        get throws { try entries.map(\.id).filter { $0 != primaryID }.reduce(self) { try $0.removing($1) } }
    }
}
