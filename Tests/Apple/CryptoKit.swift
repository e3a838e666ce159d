// What the library takes of CryptoKit, with the systems that Apple's documentation says have it first.
public import Foundation

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public struct SymmetricKey: ContiguousBytes, Sendable {
    public init(data: some ContiguousBytes) {}
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError() }
}

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public struct SharedSecret: ContiguousBytes, Sendable {
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError() }
}

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public protocol HashFunction: Sendable {}

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
extension HashFunction {
    public static func hash(data: some ContiguousBytes) -> Data { fatalError() }
}

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public struct SHA256: HashFunction {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> Data { fatalError() }
}
@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public enum SHA512: HashFunction {}

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public enum HMAC<Hash: HashFunction>: Sendable {
    public static func authenticationCode(for data: some ContiguousBytes, using key: SymmetricKey) -> Data {
        fatalError()
    }
}

@available(macOS 11, iOS 14, watchOS 7, tvOS 14, *)
public enum HKDF<Hash: HashFunction>: Sendable {
    public static func deriveKey(
        inputKeyMaterial: SymmetricKey, salt: some ContiguousBytes, info: some ContiguousBytes,
        outputByteCount: Int
    ) -> SymmetricKey { fatalError() }
}

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public enum AES {
    public enum GCM {
        public struct Nonce: Sendable {
            public init(data: some ContiguousBytes) throws {}
        }
        public struct SealedBox: Sendable {
            public init(
                nonce: Nonce, ciphertext: some ContiguousBytes, tag: some ContiguousBytes
            ) throws {}
            public var ciphertext: Data { fatalError() }
            public var tag: Data { fatalError() }
        }
        public static func seal(
            _ message: some ContiguousBytes, using key: SymmetricKey, nonce: Nonce? = nil,
            authenticating data: some ContiguousBytes
        ) throws -> SealedBox { fatalError() }
        public static func open(
            _ box: SealedBox, using key: SymmetricKey, authenticating data: some ContiguousBytes
        ) throws -> Data { fatalError() }
    }
}

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public enum P256 {
    public enum KeyAgreement {
        public struct PublicKey: Sendable {
            public init(x963Representation: some ContiguousBytes) throws {}
            @available(macOS 13, iOS 16, watchOS 9, tvOS 16, *)
            public init(compressedRepresentation: some ContiguousBytes) throws {}
            public var x963Representation: Data { fatalError() }
        }
        public struct PrivateKey: Sendable {
            public init(rawRepresentation: some ContiguousBytes) throws {}
            public var publicKey: PublicKey { fatalError() }
            public func sharedSecretFromKeyAgreement(with share: PublicKey) throws -> SharedSecret {
                fatalError()
            }
        }
    }
}
