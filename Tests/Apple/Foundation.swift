// swift-format-ignore-file
// What the library takes of Apple's Foundation: bytes, on which CryptoKit.swift stands, and errors that are shown.
public protocol ContiguousBytes {
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

extension UnsafeRawBufferPointer: ContiguousBytes {
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result { try body(self) }
}

public struct Data: ContiguousBytes, Sendable {
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError() }

    public mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError() }
}

public struct Date: Sendable {
    public init(timeIntervalSince1970: Double) {}
}

public let NSLocalizedDescriptionKey = "NSLocalizedDescription"
public let NSLocalizedRecoverySuggestionErrorKey = "NSLocalizedRecoverySuggestion"

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

extension CustomNSError {
    public static var errorDomain: String { String(reflecting: self) }
    public var errorCode: Int { 0 }
    public var errorUserInfo: [String: Any] { [:] }
}

extension Data: RandomAccessCollection {
    public init(_ bytes: some Sequence<UInt8>) {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 { 0 }
}
