import Crypto
import Foundation

// An adapter for `closer-keys vectors run`: the chats of FitLink and Fond on swift-crypto, which is CryptoKit's API.
// `swift run adapter`, or its binary: .build/debug/adapter

typealias Case = [String: String]

/// An error's id.
struct Refused: Error {
    let id: String

    static let malformed = Refused(id: "malformed")
    static let authFailed = Refused(id: "authFailed")
}

func demand(_ holds: Bool) throws {
    guard holds else { throw Refused.malformed }
}

/// Strict: encoded again it is the same text. Foundation alone would take stray bits.
func base64(_ text: String?) throws -> Data {
    guard let text, let content = Data(base64Encoded: text),
        content.base64EncodedString().utf8.elementsEqual(text.utf8)
    else { throw Refused.malformed }
    return content
}

/// The one spelling of a key, a number below 2²⁵⁵ − 19. RFC 7748, and CryptoKit, read others, too.
func x25519(_ text: String?) throws -> Data {
    let key = try base64(text)
    try demand(key.count == 32 && key[31] < 0x80)
    try demand(key[31] < 0x7F || key[0] < 0xED || key[1..<31].contains { $0 < 0xFF })
    return key
}

func hex(_ text: String?) throws -> Data {
    let digits = Array((text ?? "").utf8)
    let pairs = stride(from: 0, to: digits.count, by: 2).map { digits[$0..<$0 + 2] }
    let bytes = pairs.compactMap { UInt8(String(decoding: $0, as: UTF8.self), radix: 16) }
    try demand(bytes.count == pairs.count)
    return Data(bytes)
}

func hex(_ content: some Sequence<UInt8>) -> String {
    content.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

func identifier(_ text: String?) throws -> Data {
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-:@+".utf8)
    let bytes = Data((text ?? "").utf8)
    try demand((1...128).contains(bytes.count) && bytes.allSatisfy(allowed.contains))
    return bytes
}

/// CryptoKit and swift-crypto hand out an all-zero secret: whoever computes with them must look.
func agree(_ ours: Data, _ theirs: Data) throws -> SharedSecret {
    do {
        let ours = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: ours)
        let theirs = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: theirs)
        let secret = try ours.sharedSecretFromKeyAgreement(with: theirs)
        try demand(secret.withUnsafeBytes { $0.contains { $0 != 0 } })
        return secret
    } catch { throw Refused.malformed }
}

func chatKey(_ test: Case, salt: Data, info: String) throws -> SymmetricKey {
    try agree(try hex(test["privateKey"]), try x25519(test["peerPublicKey"]))
        .hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: salt, sharedInfo: Data(info.utf8), outputByteCount: 32)
}

func open(_ combined: Data, with key: SymmetricKey) throws -> Data {
    guard let box = try? AES.GCM.SealedBox(combined: combined) else { throw Refused.authFailed }
    do { return try AES.GCM.open(box, using: key) } catch { throw Refused.authFailed }
}

/// Signal's numeric fingerprint, version 0.
func digits(_ identity: Data, _ key: Data) -> String {
    var state = Data(SHA512.hash(data: Data([0, 0]) + key + identity + key))
    for _ in 0..<5199 { state = Data(SHA512.hash(data: state + key)) }
    return stride(from: 0, to: 30, by: 5).map { place in
        let number = state[place..<place + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000
        return String(String(100_000 + number).dropFirst())
    }.joined()
}

let operations: [String: (Case) throws -> Case] = [
    "x25519.agree": { test in
        let secret = try agree(try hex(test["privateKey"]), try hex(test["publicKey"]))
        return ["sharedSecret": secret.withUnsafeBytes { hex($0) }]
    },
    "chat.fitlink.open": { test in
        let (iv, content) = (try base64(test["iv"]), try base64(test["encrypted_content"]))
        try demand(iv.count == 12)
        let key = try chatKey(test, salt: try identifier(test["chatId"]), info: "FitLinkChat")
        return ["plaintext": hex(try open(iv + content, with: key))]
    },
    "chat.fond.open": { test in
        let key = try chatKey(test, salt: try hex(test["salt"]), info: test["info"] ?? "")
        return ["plaintext": hex(try open(try base64(test["field"]), with: key))]
    },
    "safetyNumber.fingerprint": { test in
        ["digits": digits(try hex(test["identity"]), try hex(test["key"]))]
    },
    "safetyNumber.x25519": { test in
        let halves = try ["our", "their"].map { whose in
            let key = try x25519(test["\(whose)PublicKey"])
            return digits(try identifier(test["\(whose)UserId"]), key)
        }
        return ["digits": halves.sorted().joined()]
    },
]

while let line = readLine() {
    let message = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    if message["cmd"] as? String == "stop" { break }
    var answer: [String: Any] = ["seq": message["seq"] ?? 0, "features": operations.keys.sorted()]
    if let name = message["op"] as? String, let run = operations[name] {
        answer["features"] = nil
        do { answer["output"] = try run(message["case"] as? Case ?? [:]) } catch let error as Refused {
            answer["error"] = error.id
        }
    }
    try FileHandle.standardOutput.write(
        contentsOf: JSONSerialization.data(withJSONObject: answer) + Data("\n".utf8))
}
