import Crypto
import Foundation

// A sealer for `closer-keys vectors live`: the chats of FitLink and Fond on swift-crypto, which is CryptoKit's API.
// `swift run sealer`, or its binary: .build/debug/sealer

typealias Case = [String: String]

/// A member is missing or cannot be read, or a public key is one that nobody may use.
struct Malformed: Error {}

func utf8(_ text: String?) throws -> Data {
    guard let text else { throw Malformed() }
    return Data(text.utf8)
}

func base64(_ text: String?) throws -> Data {
    guard let text, let content = Data(base64Encoded: text) else { throw Malformed() }
    return content
}

func hex(_ text: String?) throws -> Data {
    let digits = try Array(utf8(text))
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
        UInt8(String(decoding: digits[place...].prefix(2), as: UTF8.self), radix: 16)
    }
    guard 2 * bytes.count == digits.count else { throw Malformed() }
    return Data(bytes)
}

func hex(_ content: some Sequence<UInt8>) -> String {
    content.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

/// CryptoKit and swift-crypto hand out an all-zero secret: whoever computes with them must look, or whoever publishes 32 zero bytes
/// as a public key reads what is sealed for it.
func agree(_ ours: Data, _ theirs: Data) throws -> SharedSecret {
    let ours = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: ours)
    let theirs = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: theirs)
    let secret = try ours.sharedSecretFromKeyAgreement(with: theirs)
    guard secret.withUnsafeBytes({ $0.contains { $0 != 0 } }) else { throw Malformed() }
    return secret
}

func chatKey(_ test: Case, salt: Data, info: Data) throws -> SymmetricKey {
    try agree(try hex(test["privateKey"]), try base64(test["peerPublicKey"]))
        .hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: salt, sharedInfo: info, outputByteCount: 32)
}

/// Under a nonce that CryptoKit draws. One behind the other, the two are the box's `combined`.
func seal(_ plaintext: Data, with key: SymmetricKey) throws -> (iv: Data, content: Data) {
    let box = try AES.GCM.seal(plaintext, using: key)
    return (Data(box.nonce), box.ciphertext + box.tag)
}

let operations: [String: (Case) throws -> Case] = [
    "x25519.agree": { test in
        let secret = try agree(try hex(test["privateKey"]), try hex(test["publicKey"]))
        return ["sharedSecret": secret.withUnsafeBytes { hex($0) }]
    },
    "chat.fitlink.seal": { test in
        let key = try chatKey(test, salt: try utf8(test["chatId"]), info: Data("FitLinkChat".utf8))
        let (iv, content) = try seal(try hex(test["plaintext"]), with: key)
        return ["encrypted_content": content.base64EncodedString(), "iv": iv.base64EncodedString()]
    },
    "chat.fond.seal": { test in
        let key = try chatKey(test, salt: try hex(test["salt"]), info: try utf8(test["info"]))
        let (iv, content) = try seal(try hex(test["plaintext"]), with: key)
        return ["field": (iv + content).base64EncodedString()]
    },
]

while let line = readLine() {
    let message = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    if message["cmd"] as? String == "stop" { break }
    var answer: [String: Any] = ["seq": message["seq"] ?? 0, "features": operations.keys.sorted()]
    if let name = message["op"] as? String, let run = operations[name] {
        answer["features"] = nil
        do { answer["output"] = try run(message["case"] as? Case ?? [:]) } catch {
            answer["error"] = "malformed"
        }
    }
    try FileHandle.standardOutput.write(
        contentsOf: JSONSerialization.data(withJSONObject: answer) + Data("\n".utf8))
}
