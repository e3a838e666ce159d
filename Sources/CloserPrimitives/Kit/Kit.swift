#if CLOSER_KIT
#if canImport(CryptoKit)
internal import CryptoKit
internal import Foundation
#else
internal import Crypto
internal import FoundationEssentials
#endif

/// CryptoKit, or on other systems swift-crypto, which has CryptoKit's API and computes with BoringSSL.
///
/// Its own names for hashes and curves are ours, too: files of this folder take them from here.
enum Kit {
    #if canImport(CryptoKit)
    static let name = "CryptoKit"
    /// It is a part of the system, and keeps its version to itself.
    static let version = "of the system"
    typealias SHA256 = CryptoKit.SHA256
    typealias SHA512 = CryptoKit.SHA512
    typealias HKDF = CryptoKit.HKDF<SHA256>
    typealias HMAC = CryptoKit.HMAC<SHA256>
    typealias P256 = CryptoKit.P256.KeyAgreement
    #else
    static let name = "swift-crypto"
    /// It is built in, and keeps its version to itself.
    static let version = "built in"
    typealias SHA256 = Crypto.SHA256
    typealias SHA512 = Crypto.SHA512
    typealias HKDF = Crypto.HKDF<SHA256>
    typealias HMAC = Crypto.HMAC<SHA256>
    typealias P256 = Crypto.P256.KeyAgreement
    #endif

    /// A call that fails only in a broken library: then the process ends. The error is left out of the words, since it may quote
    /// input.
    @unsafe static func expect<Result: ~Copyable>(_ what: StaticString, _ call: () throws -> Result)
        -> Result
    {
        do { return try call() } catch { preconditionFailure("CryptoKit failed: \(what)") }
    }
}

extension Span where Element == UInt8 {
    /// Lends the bytes as CryptoKit wants them: with an address even when they are empty, and uncopied.
    @unsafe func withKitBytes<Result: ~Copyable>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafeBytes { bytes in
            guard unsafe bytes.baseAddress == nil else { return try unsafe body(bytes) }
            var none: UInt8 = 0
            return try unsafe Swift.withUnsafeBytes(of: &none) {
                try unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<0]))
            }
        }
    }

    /// The key of these bytes, in memory that CryptoKit wipes when it is done.
    var symmetricKey: SymmetricKey { unsafe withKitBytes { unsafe SymmetricKey(data: $0) } }
}

extension OutputSpan where Element == UInt8 {
    /// Appends a digest, a derived key or a box.
    mutating func append(copying bytes: some ContiguousBytes) {
        unsafe bytes.withUnsafeBytes { source in
            unsafe append(source.count) { target in
                unsafe UnsafeMutableRawBufferPointer(start: target, count: source.count).copyMemory(
                    from: source)
                return true
            }
        }
    }
}
#endif
