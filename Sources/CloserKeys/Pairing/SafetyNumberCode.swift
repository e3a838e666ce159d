internal import CloserWire

/// A safety number as a QR code holds it: `LP("closer-keys/sn/1", digits)` (security §4).
///
/// A code of another version says that two programs differ, and nothing of the keys: it is `.otherVersion`, which is no
/// mismatch.
public struct SafetyNumberCode: Equatable, Sendable {
    public let number: SafetyNumber

    public init(_ number: SafetyNumber) { self.number = number }

    /// Takes what a scanner read, all of it.
    public init(parsing bytes: some Collection<UInt8>) throws(SafetyNumberError) {
        let bytes = Array(bytes)
        var reader = ByteReader(count: bytes.count)
        let name = try Self.item(&reader, in: bytes)
        guard name == Self.name else {
            throw Self.isOtherVersion(name) ? .otherVersion : .malformed
        }
        number = try SafetyNumber(exactly: try Self.item(&reader, in: bytes))
        guard reader.isAtEnd else { throw .malformed }
    }

    /// 84 bytes.
    public var bytes: [UInt8] { [UInt8](lengthPrefixed: [Self.name, number.digits]) }

    static let name = Array("\(family)1".utf8)
    private static let family = "closer-keys/sn/"

    private static func item(
        _ reader: inout ByteReader, in bytes: [UInt8]
    ) throws(SafetyNumberError) -> [UInt8] {
        do { return Array(bytes[try reader.item(in: bytes.span)]) } catch { throw .malformed }
    }

    private static func isOtherVersion(_ name: [UInt8]) -> Bool {
        guard name.starts(with: family.utf8) else { return false }
        let version = name.dropFirst(family.utf8.count)
        return !version.isEmpty && version.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
