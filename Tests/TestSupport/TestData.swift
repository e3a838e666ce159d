public import CloserPrimitives
package import CloserWire
public import Foundation
public import Testing

/// Expected values, all made by other implementations: the files below `vectors/`.
public enum TestData {
    /// The golden values of the v1 formats.
    package static let golden = load("golden.json")
    /// Golden values and refusals of the pairing.
    package static let pairing = load("pairing.json")
    /// Links to another device, and refusals.
    package static let link = load("link.json")
    /// Bound messages of chats, and chat keys.
    package static let chat = load("chat.json")
    /// Known answers of the primitives.
    package static let primitives = load("primitives.json")
    /// Streams that Tink sealed.
    package static let streams = load("streams.json")
    /// Public keys in every width of integers that Tink writes.
    package static let publicKeys = load("v1/public_key.json")
    private static let canonicalJSON = load("v1/canonical_json.json")

    /// The cases of canonical JSON that are `valid` or `invalid`.
    package static func canonicalJSON(_ result: String) -> JSONValue {
        let tests = canonicalJSON.at("testGroups").array?.first?.at("tests").array ?? []
        return .array(tests.filter { $0.text("result") == result })
    }

    private static func load(_ name: String) -> JSONValue {
        let path = root.appending(path: "vectors/\(name)")
        do { return try JSONValue(parsing: try Data(contentsOf: path)) } catch {
            preconditionFailure("vectors/\(name) is missing or is not JSON: \(error)")
        }
    }

    /// The repository.
    public static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}

/// One case of a vector file, by name and number, so that a failure says which.
public struct Vector: Sendable, CustomTestStringConvertible {
    public let name: String
    package let value: JSONValue

    public var testDescription: String { name }

    /// All cases of a list, which must be as many as the file had when the test was written, or more.
    package static func all(_ list: JSONValue?, named name: String, atLeast count: Int) -> [Vector] {
        let values = list?.array ?? []
        precondition(values.count >= count, "\(name): \(values.count) vectors, expected \(count)")
        return values.enumerated().map { Vector(name: "\(name) \($0.offset)", value: $0.element) }
    }

    public func hex(_ member: String) -> [UInt8] { value.hex(member) }
    public func text(_ member: String) -> String { value.text(member) }
    public func has(_ member: String) -> Bool { value[member] != nil }
    public func secret(_ member: String) -> SecretBytes { SecretBytes(copying: value.hex(member).span) }
    public func int(_ member: String) -> Int { Int(value.at(member).number ?? -1) }
}

extension JSONValue {
    /// The value at a path such as `sealedAnswer.oneTimeKeyset.keyId`; a missing one fails the test.
    package func at(_ path: String) -> JSONValue {
        path.split(separator: ".").reduce(self) { value, name in
            guard let next = value[String(name)] else { preconditionFailure("no \(path) in the vectors") }
            return next
        }
    }

    package func text(_ path: String) -> String {
        guard let text = at(path).string else { preconditionFailure("\(path) is no text") }
        return text
    }

    package func hex(_ path: String) -> [UInt8] {
        guard let bytes = try? Hex.decode(text(path)) else {
            preconditionFailure("\(path) is not hexadecimal")
        }
        return bytes
    }
}

extension Array where Element == UInt8 {
    /// A copy with one bit changed.
    public func flipping(bit: Int) -> [UInt8] {
        var copy = self
        copy[bit / 8] ^= 1 << UInt8(bit % 8)
        return copy
    }
}

extension SecretBytes {
    /// A copy that a test can compare. Only for values that were published.
    public borrowing func testOnlyBytes() -> [UInt8] {
        withBytes { bytes in [UInt8](copying: bytes) }
    }

    public init(testOnly bytes: [UInt8]) { self.init(copying: bytes.span) }
}
