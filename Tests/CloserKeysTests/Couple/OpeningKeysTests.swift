import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("Opening keys, for a process without a vault")
struct OpeningKeysTests {
    /// The format by Python's `struct`: the keyset of vectors/v1/field.json, which is Tink's, and the chat key of chat_fitlink.json, by pyca.
    private static let golden =
        "0000001a636c6f7365722d6b6579732f6f70656e696e672d6b6579732f3100000008636f75706c655f31000000080000"
        + "0000000000070000006a088d98ac5012630a580a30747970652e676f6f676c65617069732e636f6d2f676f6f676c652e"
        + "63727970746f2e74696e6b2e41657347636d4b657912221a2074e7bb63687e2d55967b3986ee8480740aa7ce2f774aab"
        + "9ae7313e9a26fd807b18011001188d98ac502001000000050a0b0c0d02000000076669746c696e6b00000009616c6963"
        + "655f626f6200000020cf4d94fa0950e793ab1c4157a0912c2bd401e6de638ba0fd15beb7651693e763"
    private static let token = "enc:v1:AQoLDA0Uf0fbKqvN1z0W5GM/sVjWA+8DFqqaI0RFFuXfUcRguCvenaf1"
    private static let message =
        #"{"encrypted_content":"HYy3UB+Vc9iO1s0536HuZy0yxNdWlGJgpZ8sP+ca","iv":"GZ37QccWDwHtMHSB"}"#

    private func keys(_ bytes: [UInt8]) throws -> OpeningKeys {
        try OpeningKeys(parsing: SecretBytes(copying: bytes))
    }

    @Test("what Python wrote opens a field by Tink and a message by pyca, and is written again byte for byte")
    func golden() throws {
        let keys = try keys(Hex.decode(Self.golden))
        #expect(keys.couple.text == "couple_1" && keys.epoch == 7)
        let opened = try keys.open(FieldToken(parsing: Self.token))
        #expect(String(decoding: opened.plaintext, as: UTF8.self) == "hello ❤")
        #expect(keys.origin(ofKey: opened.keyID) == .pairing)
        let message = try keys.open(FitLinkMessage(parsing: Self.message.utf8))
        #expect(String(decoding: message, as: UTF8.self) == "run at 7? 🏃")
        #expect(Hex.encode(InsecureCopy.bytes(keys.bytes)) == Self.golden)
    }

    @Test("no byte can be cut, added or changed in its form") func malformed() throws {
        let golden = try Hex.decode(Self.golden)
        for count in golden.indices {
            #expect(throws: OpeningKeys.FormatError.malformed) { _ = try keys(Array(golden.prefix(count))) }
        }
        #expect(throws: OpeningKeys.FormatError.malformed) { _ = try keys(golden + [0]) }
        let end = golden.count
        // The name, the epoch's highest byte, an origin that there is none of, another key id, the profile, the length of the chat key.
        for place in [4, 46, end - 57, end - 61, end - 52, end - 33] {
            var changed = golden
            changed[place] ^= 0x40
            #expect(throws: OpeningKeys.FormatError.malformed) { _ = try keys(changed) }
        }
    }

    @Test("keys without a chat open fields alone, and keys of Fond no message of FitLink") func chats() throws
    {
        let key = try CoupleKey(Keyset(.aes256GCM))
        let field = FieldKey(key, of: try CoupleID(parsing: "couple_1"), origins: nil)
        let alone = try keys(InsecureCopy.bytes(OpeningKeys(field, epoch: 0).bytes))
        let token = try field.seal("hi".utf8)
        let opened = try alone.open(token)
        #expect(opened.plaintext == Array("hi".utf8) && alone.origin(ofKey: opened.keyID) == .invite)
        let message = try FitLinkMessage(parsing: Self.message.utf8)
        #expect(throws: ChatOpenError.authenticationFailed) { try alone.open(message) }

        let (ours, theirs) = (X25519PrivateKey(), X25519PrivateKey())
        let fond = try OpeningKeys(field, epoch: 1, chat: .fond(ours: ours, theirs: theirs.publicKey))
        let again = try keys(InsecureCopy.bytes(fond.bytes))
        let sealed = try ChatKey(fond: theirs, theirs: ours.publicKey).seal(field: "hi".utf8)
        #expect(try again.open(sealed) == Array("hi".utf8))
        #expect(throws: ChatOpenError.authenticationFailed) { try again.open(message) }
    }

    @Test("a chat key from elsewhere has 32 bytes") func adopted() throws {
        let key = try Hex.decode("cf4d94fa0950e793ab1c4157a0912c2bd401e6de638ba0fd15beb7651693e763")
        let adopted = ChatKey(adopting: SecretBytes(copying: key))
        let chat = try #require(adopted)
        #expect(try chat.open(FitLinkMessage(parsing: Self.message.utf8)) == Array("run at 7? 🏃".utf8))
        #expect(ChatKey(adopting: SecretBytes(copying: key.dropLast())) == nil)
    }
}
