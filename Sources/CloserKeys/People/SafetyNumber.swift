internal import CloserPrimitives
internal import CloserTink
package import CloserWire

/// Sixty digits that are the same on both devices exactly if both have the same keys (closer-keys-formats(7), SAFETY
/// NUMBERS).
///
/// Two people read them to each other, or one scans the other's QR code. Parse what the other side shows
/// and compare the two values with `==`: the digits are public.
public struct SafetyNumber: Equatable, Sendable {
    /// 60 digits of ASCII.
    public let digits: [UInt8]

    /// 60.
    public static let digitCount = 60

    /// The number of two people. Both sides get the same, in either order of the two. It computes for some
    /// milliseconds, on purpose.
    public init(_ ours: SafetyNumber.Party, _ theirs: SafetyNumber.Party) {
        let halves = [ours.digits, theirs.digits].sorted { $0.lexicographicallyPrecedes($1) }
        digits = halves[0] + halves[1]
    }

    /// Takes what a person typed: 60 digits of ASCII, with any white space and hyphens between them.
    ///
    /// - Throws: `.malformed` for any other count. That is a slip of the hand.
    public init(typed text: some Collection<UInt8>) throws(SafetyNumber.FormatError) {
        try self.init(exactly: text.filter { !$0.isJSONWhiteSpace && $0 != UInt8(ascii: "-") })
    }

    init(exactly digits: [UInt8]) throws(SafetyNumber.FormatError) {
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

extension SafetyNumber {
    /// Why a text or a code is refused as a safety number. A number that differs is another matter.
    public enum FormatError: Error, Equatable, Sendable {
        /// It is neither sixty digits nor our code.
        case malformed
        /// The code is of another version: update the older program, then compare again.
        case otherVersion
    }
}

extension SafetyNumber {
    /// One of the two people whose keys are compared: who they are, and the key they are known by.
    public struct Party: Equatable, Sendable {
        let identity: [UInt8]
        let key: [UInt8]

        /// A partner of a couple. The couple's name goes into the digits, so that they differ from couple to couple.
        public init(user: UserID, couple: CoupleID, key: PublicKeyToken) {
            guard let keyset = try? NoSecretKeyset.binary(key.keyset) else {
                preconditionFailure("a public key token without a public key")
            }
            self.init(
                identity: user.bytes,
                key: [UInt8](lengthPrefixed: [SafetyNumber.codeName, couple.bytes, keyset]))
        }

        /// One side of a chat of an app, known by its X25519 key.
        public init(user: UserID, key: X25519PublicKey) {
            self.init(identity: user.bytes, key: key.bytes)
        }

        /// Takes the bytes as Signal's function does. libsignal's own keys have 33 bytes, ours 32.
        package init(identity: [UInt8], key: [UInt8]) { (self.identity, self.key) = (identity, key) }

        /// Signal's numeric fingerprint, version 0: SHA-512 again and again, then six 5-byte integers modulo 100000.
        package var digits: [UInt8] {
            var digest = SHA512.hash(([0, 0] + key + identity + key).span)
            for _ in 1..<Self.iterationCount { digest = SHA512.hash((digest + key).span) }
            return stride(from: 0, to: 30, by: 5).flatMap { start in
                let group = UInt64(bigEndianDigits: digest.span.extracting(start..<start + 5)) % 100_000
                return String(100_000 + group).utf8.dropFirst()
            }
        }

        /// Signal's count. It slows down the search for a key with the same digits, and takes us some milliseconds.
        private static let iterationCount = 5200
    }
}

// MARK: - As a QR code

// What the QR code of a safety number holds: `LP("closer-keys/sn/1", digits)` (closer-keys-formats(7), SAFETY NUMBERS).
extension SafetyNumber {
    /// Takes what a scanner read of the other side's QR code, all of it. A code of another version says that the two programs differ, and
    /// nothing of the keys.
    ///
    /// - Throws: `.otherVersion` for a code of another version of ours, `.malformed` for anything else.
    public init(scanned bytes: some Collection<UInt8>) throws(FormatError) {
        let bytes = Array(bytes)
        var reader = ByteReader(count: bytes.count)
        let name = try Self.item(&reader, in: bytes)
        guard name == Self.codeName else {
            throw Self.isOtherVersion(name) ? .otherVersion : .malformed
        }
        try self.init(exactly: try Self.item(&reader, in: bytes))
        guard reader.isAtEnd else { throw .malformed }
    }

    /// What its QR code holds, 84 bytes.
    public var codeBytes: [UInt8] { [UInt8](lengthPrefixed: [Self.codeName, digits]) }

    fileprivate static let codeName = Array("\(family)1".utf8)
    private static let family = "closer-keys/sn/"

    private static func item(
        _ reader: inout ByteReader, in bytes: [UInt8]
    ) throws(SafetyNumber.FormatError) -> [UInt8] {
        do { return Array(bytes[try reader.item(in: bytes.span)]) } catch { throw .malformed }
    }

    private static func isOtherVersion(_ name: [UInt8]) -> Bool {
        guard name.starts(with: family.utf8) else { return false }
        let version = name.dropFirst(family.utf8.count)
        return !version.isEmpty && version.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension SafetyNumber.FormatError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .malformed: ErrorWords(.malformed, "a safety number has 60 digits")
        case .otherVersion:
            ErrorWords(
                .unsupportedVersion,
                "this safety number is of another version, which says nothing of the keys",
                "update the older program, then compare again")
        }
    }
}
