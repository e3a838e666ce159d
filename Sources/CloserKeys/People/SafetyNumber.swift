internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Sixty digits that are the same on both devices exactly if nobody swapped a key (security §4).
///
/// Two people read them to each other, or one scans the other's ``SafetyNumberCode``. What the other side shows is
/// parsed into a value of its own, and `==` is the comparison: the digits are no secret.
public struct SafetyNumber: Equatable, Sendable {
    /// 60 digits of ASCII.
    public let digits: [UInt8]

    /// 60.
    public static let digitCount = 60

    /// The number of two people; whose is ours makes no difference.
    public init(_ ours: SafetyNumberParty, _ theirs: SafetyNumberParty) {
        let halves = [ours.digits, theirs.digits].sorted { $0.lexicographicallyPrecedes($1) }
        digits = halves[0] + halves[1]
    }

    /// Takes what a person typed: 60 digits of ASCII, with any white space between them.
    ///
    /// Fewer are a slip and no mismatch: `.malformed`.
    public init(entered text: some Collection<UInt8>) throws(SafetyNumberError) {
        try self.init(exactly: text.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
    }

    init(exactly digits: [UInt8]) throws(SafetyNumberError) {
        guard digits.count == Self.digitCount,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .malformed }
        self.digits = digits
    }
}

extension SafetyNumber: CustomStringConvertible {
    /// Twelve groups of five digits, with a space between them.
    public var description: String {
        stride(from: 0, to: digits.count, by: 5)
            .map { String(decoding: digits[$0..<$0 + 5], as: UTF8.self) }
            .joined(separator: " ")
    }
}

/// Why a text or a code is no safety number of ours. None of them means that the numbers differ.
public enum SafetyNumberError: Error, Equatable, Sendable {
    /// Not sixty digits, or not our code.
    case malformed
    /// The code is of another version: update the older program, then compare again.
    case otherVersion
}

/// One of the two people whose keys are compared: who they are, and the key they are known by.
public struct SafetyNumberParty: Equatable, Sendable {
    let identity: [UInt8]
    let key: [UInt8]

    /// A partner of a couple. The couple's name is in the key, so that one partner's digits differ from couple to couple.
    public init(user: Identifier, couple: Identifier, key: PublicKeyToken) {
        guard let keyset = try? NoSecretKeyset.binary(key.keyset) else {
            preconditionFailure("a public key token without a public key")
        }
        self.init(
            identity: user.bytes,
            key: [UInt8](lengthPrefixed: [SafetyNumberCode.name, couple.bytes, keyset]))
    }

    /// One side of a chat.
    public init(user: Identifier, key: X25519PublicKey) {
        self.init(identity: user.bytes, key: key.bytes)
    }

    /// Takes the bytes as Signal's function does; libsignal's own keys have 33.
    package init(identity: [UInt8], key: [UInt8]) { (self.identity, self.key) = (identity, key) }

    /// Signal's numeric fingerprint, version 0: SHA-512 again and again, then six 5-byte integers modulo 100000.
    package var digits: [UInt8] {
        var digest = SHA512.hash(([0, 0] + key + identity + key).span)
        for _ in 1..<Self.iterationCount { digest = SHA512.hash((digest + key).span) }
        return stride(from: 0, to: 30, by: 5).flatMap { start in
            let group = digest[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000
            return String(100_000 + group).utf8.dropFirst()
        }
    }

    /// It makes the search for a key with the same digits slower, and takes us some milliseconds.
    private static let iterationCount = 5200
}
