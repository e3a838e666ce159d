internal import CloserKeys
internal import CloserWire

/// Texts: JSON, its canonical form, base64, hexadecimal.
enum Texts {
    static func json(_ bytes: [UInt8]) {
        guard let value = parsed(bytes) else { return }
        let again = value.bytes
        guard let second = try? JSONValue(parsing: again) else {
            preconditionFailure("our own JSON is refused")
        }
        precondition(second.bytes == again)
        let canonical = value.canonicalBytes
        guard let third = try? JSONValue(parsing: canonical) else {
            preconditionFailure("our own canonical JSON is refused")
        }
        precondition(third.canonicalBytes == canonical)
        precondition(second.canonicalBytes == canonical)
        guard let printable = try? JSONValue(parsing: value.printableBytes) else {
            preconditionFailure("our own printable JSON is refused")
        }
        precondition(printable.canonicalBytes == canonical)
    }

    /// Whoever passes a value over finds its end where a reader of the value does, and takes no less.
    private static func parsed(_ bytes: [UInt8]) -> JSONValue? {
        var scanner = JSONScanner()
        var isPassed = false
        do {
            _ = try scanner.skip(in: bytes.span)
            try scanner.finish(in: bytes.span)
            isPassed = true
        } catch { precondition(!JSONFault(error, in: bytes.span).message.isEmpty) }
        do {
            let value = try JSONValue(parsing: bytes)
            precondition(isPassed, "what is read is not passed over")
            look(at: value)
            return value
        } catch {
            precondition(!JSONFault(error, in: bytes.span).message.isEmpty)
            return nil
        }
    }

    /// A value is of one kind, and a member is found by its name.
    private static func look(at value: JSONValue) {
        let kinds = [value.string != nil, value.number != nil, value.array != nil, value.members != nil]
        precondition(kinds.count { $0 } <= 1)
        for element in value.array ?? [] { look(at: element) }
        for member in value.members ?? [] {
            precondition(value[member.name] != nil)
            look(at: member.value)
        }
    }

    /// What was decoded is encoded to the same text: no two texts stand for the same bytes.
    static func base64(_ bytes: [UInt8]) {
        for variant in [Base64.standard, .url] {
            guard let decoded = try? variant.decode(bytes.span) else { continue }
            precondition(variant.encodedBytes(decoded.span) == bytes)
        }
        let encoded = Base64.url.encode(bytes)
        precondition((try? Base64.url.decode(encoded)) == bytes)
        if let decoded = try? Hex.decode(String(decoding: bytes, as: UTF8.self)) {
            precondition(
                Hex.encode(decoded).utf8.elementsEqual(
                    String(decoding: bytes, as: UTF8.self).lowercased().utf8))
        }
    }
}
