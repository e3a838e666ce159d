public import CloserPrimitives
internal import CloserWire

/// An encrypted value of Fond: the standard base64 of `iv ‖ ciphertext ‖ tag`, CryptoKit's `combined`
/// (closer-keys-formats(7), CHATS, Fond).
public struct FondField: Equatable, Sendable {
    /// `iv ‖ ciphertext ‖ tag`: 28 bytes more than the plaintext. It may have been cut: only the key shows that.
    public let combined: [UInt8]

    /// Takes the only accepted spelling in standard base64, in ASCII, without white space.
    ///
    /// - Throws: `.misspelled`.
    public init(parsing text: some Collection<UInt8>) throws(ChatFormatError) {
        do { combined = try Base64.standard.decodeSpelled(Array(text).span) } catch {
            throw .misspelled(error)
        }
    }

    fileprivate init(combined: [UInt8]) { self.combined = combined }

    /// The text in standard base64, in ASCII.
    public var text: [UInt8] { Base64.standard.encodedBytes(combined.span) }
}

extension FondField: CustomStringConvertible {
    /// Takes the only accepted spelling in standard base64, without white space.
    ///
    /// - Throws: `.misspelled`.
    public init(parsing text: String) throws(ChatFormatError) { try self.init(parsing: text.utf8) }

    /// The text in standard base64.
    public var description: String { Base64.standard.encode(combined) }
}

extension ChatKey {
    /// Seals `plaintext` as it is; empty is legal.
    ///
    /// - Throws: `.plaintextTooLarge` above 1 MiB.
    public func seal(
        field plaintext: some Collection<UInt8>, from randomness: Randomness = .system
    ) throws(ChatSealError) -> FondField {
        FondField(combined: try seal(Array(plaintext).span, from: randomness))
    }

    /// Gives back the plaintext. Its author and its time are unproven; see ``ChatKey``.
    ///
    /// - Throws: `.authenticationFailed`.
    public func open(_ field: FondField) throws(ChatOpenError) -> [UInt8] {
        try open(combined: field.combined.span)
    }
}

// MARK: - What the fields hold

/// What one of Fond's fields holds. The type is not in the ciphertext: the reader knows which field it opened.
package enum FondValue: Equatable, Sendable {
    /// Any text, in UTF-8.
    case text(String)
    /// Any text, in UTF-8.
    case status(String)
    /// A place to about a kilometre.
    case location(FondLocation)
    /// A heart rate.
    case heartbeat(FondHeartbeat)

    /// The types by the names that scripts use.
    package enum Kind: String, CaseIterable, Sendable {
        /// Any text.
        case text
        /// A text that tells how a person is.
        case status
        /// A place to about a kilometre.
        case location
        /// A heart rate.
        case heartbeat
    }

    /// Takes a plaintext of the type that it should have: UTF-8, or a JSON object with exactly the type's members.
    ///
    /// - Throws: `.malformed`.
    package init(parsing plaintext: [UInt8], as kind: Kind) throws(ChatFormatError) {
        switch kind {
        case .text: self = .text(try Self.text(plaintext))
        case .status: self = .status(try Self.text(plaintext))
        case .location: self = .location(try FondLocation(parsing: plaintext))
        case .heartbeat: self = .heartbeat(try FondHeartbeat(parsing: plaintext))
        }
    }

    /// The plaintext to seal.
    package var bytes: [UInt8] {
        switch self {
        case .text(let text), .status(let text): Array(text.utf8)
        case .location(let location): location.bytes
        case .heartbeat(let heartbeat): heartbeat.bytes
        }
    }

    private static func text(_ bytes: [UInt8]) throws(ChatFormatError) -> String {
        guard let text = String(utf8: bytes) else { throw .malformed }
        return text
    }
}

/// A place to about a kilometre: degrees with two decimals. This type holds two decimals.
///
/// It rounds before anything is sealed and does not leave that to the reader, so that no place more exact than the user
/// agreed to ever leaves the device.
package struct FondLocation: Equatable, Sendable {
    /// Degrees north, −90 to 90.
    package let latitude: Double
    /// Degrees east, −180 to 180.
    package let longitude: Double

    /// Rounds to two decimals.
    ///
    /// - Throws: `.malformed` beyond ±90 and ±180.
    package init(latitude: Double, longitude: Double) throws(ChatFormatError) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { throw .malformed }
        (self.latitude, self.longitude) = (Self.rounded(latitude), Self.rounded(longitude))
    }

    /// Takes `{"lat":…,"lon":…}` and rounds both numbers.
    ///
    /// - Throws: `.malformed`.
    package init(parsing bytes: [UInt8]) throws(ChatFormatError) {
        let numbers = try JSONValue.numbers(["lat", "lon"], in: bytes)
        try self.init(latitude: numbers[0], longitude: numbers[1])
    }

    /// The plaintext to seal, `{"lat":…,"lon":…}`.
    package var bytes: [UInt8] {
        let object: JSONValue = ["lat": .number(latitude), "lon": .number(longitude)]
        return object.bytes
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
}

/// A heart rate.
package struct FondHeartbeat: Equatable, Sendable {
    /// Above 0 and at most 999.
    package let beatsPerMinute: Double

    /// Takes a rate above 0 and at most 999.
    ///
    /// - Throws: `.malformed` for any other.
    package init(beatsPerMinute: Double) throws(ChatFormatError) {
        guard beatsPerMinute > 0, beatsPerMinute <= 999 else { throw .malformed }
        self.beatsPerMinute = beatsPerMinute
    }

    /// Takes `{"bpm":…}`.
    ///
    /// - Throws: `.malformed`.
    package init(parsing bytes: [UInt8]) throws(ChatFormatError) {
        try self.init(beatsPerMinute: try JSONValue.numbers(["bpm"], in: bytes)[0])
    }

    /// The plaintext to seal, `{"bpm":…}`.
    package var bytes: [UInt8] {
        let object: JSONValue = ["bpm": .number(beatsPerMinute)]
        return object.bytes
    }
}

extension JSONValue {
    /// The numbers of an object that has exactly these members.
    fileprivate static func numbers(
        _ names: [String], in bytes: [UInt8]
    ) throws(ChatFormatError) -> [Double] {
        guard let members = (try? JSONValue(parsing: bytes))?.members, members.count == names.count else {
            throw .malformed
        }
        let numbers = names.compactMap { members[$0]?.number }
        guard numbers.count == names.count else { throw .malformed }
        return numbers
    }
}
