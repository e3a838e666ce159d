internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// A run of bytes within one member of a sealed output.
struct SealedPart: Sendable {
    let member: String
    let form: Form
    /// Where the bytes begin, counted from the end of the key's prefix if there is one.
    var start = 0
    /// How many bytes there are; nil for all up to the end.
    var count: Int?

    /// How a member holds bytes.
    enum Form: Sendable {
        case hex, base64
        case token(TokenFormat)
        /// A JSON document, with the token in a member of its own name.
        case document(TokenFormat)
        /// A one-time key, bare or in a keyset. Only the key's own bytes count: a keyset can have a new id around an old key.
        case oneTimeKey
    }

    func bytes(in output: JSONValue, behind prefixByteCount: Int) throws -> [UInt8] {
        let rest = try whole(in: output).dropFirst(start + prefixByteCount)
        return Array(rest.prefix(count ?? rest.count))
    }

    /// An output with one bit of these bytes flipped.
    func flippingBit(in output: JSONValue, behind prefixByteCount: Int) throws -> JSONValue {
        var bytes = try whole(in: output)
        bytes[.random(in: (start + prefixByteCount)..<bytes.count)] ^= 1 << UInt8.random(in: 0..<8)
        return output.adding(member, .string(try text(of: bytes, in: output)))
    }

    private func whole(in output: JSONValue) throws -> [UInt8] {
        let input = VectorInput(members: output.members ?? []), text = try input.text(member)
        switch form {
        case .hex: return try Hex.decode(text)
        case .base64: return try Base64.standard.decode(text)
        case .token(let format): return try format.payload(of: text.utf8)
        case .document(let format):
            let document = VectorInput(members: try JSONValue(parsing: text.utf8).members ?? [])
            return try format.payload(of: try document.text(member).utf8)
        case .oneTimeKey: return try Self.key(input, member)
        }
    }

    private func text(of bytes: [UInt8], in output: JSONValue) throws -> String {
        switch form {
        case .hex, .oneTimeKey: Hex.encode(bytes)
        case .base64: Base64.standard.encode(bytes)
        case .token(let format): String(decoding: try format.text(of: bytes.span), as: UTF8.self)
        case .document(let format):
            try JSONValue(parsing: (output[member]?.string ?? "").utf8).adding(
                member, .string(String(decoding: try format.text(of: bytes.span), as: UTF8.self))
            ).line
        }
    }

    private static func key(_ input: VectorInput, _ member: String) throws -> [UInt8] {
        let content = try input.hex(member)
        guard content.count != AESGCMKey.byteCount else { return content }
        guard case .aesGCM(let key)? = try input.keyset(member).primary.material else {
            throw VectorInput.MemberFault(name: member)
        }
        return key.withBytes { key in key.withBytes { Array(copying: $0) } }
    }
}
