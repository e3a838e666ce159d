/// What a vector asks of an implementation, with the members that it takes and gives.
///
/// The table of `vectors/README.md`; all that it takes are texts. A `?` behind a name means that the member may be missing.
package struct VectorOperation: Sendable {
    /// As a group's `type` and the line protocol name it.
    package let name: String
    /// The members of a group beside those of the frame.
    let groupMembers: [MemberName]
    /// The members of a test beside those of the frame.
    let testMembers: [MemberName]

    private init(_ name: String, group: String = "", _ test: String) {
        self.name = name
        (groupMembers, testMembers) = (MemberName.list(group), MemberName.list(test))
    }

    /// The operations of each schema of ours.
    static func of(schema: String) -> [VectorOperation]? { bySchema[schema] }

    private static let bySchema: [String: [VectorOperation]] = [
        "aead.json": [VectorOperation("aead.open", group: "keyset", "ciphertext associatedData")],
        "base64.json": [VectorOperation("base64.decode", group: "variant", "text")],
        "canonical_json.json": [VectorOperation("canonical", "text")],
        "chat_fitlink.json": [
            VectorOperation("chat.fitlink.open", "privateKey peerPublicKey chatId encrypted_content iv")
        ],
        "chat_fond.json": [VectorOperation("chat.fond.open", "privateKey peerPublicKey salt info field")],
        "commitment.json": [VectorOperation("commitment.verify", "received commitmentHash")],
        "documents.json": [VectorOperation("document.check", group: "document", "text previous?")],
        "ecies.json": [VectorOperation("ecies.open", group: "keyset", "ciphertext context")],
        "field.json": [VectorOperation("field.open", group: "keyset", "token coupleId")],
        "invite.json": [VectorOperation("invite.open", "recoveryPhrase code")],
        "kdf_params.json": [VectorOperation("kdfParams.check", "kdfParams")],
        "keybox.json": [VectorOperation("keybox.open", group: "keyset", "keybox context")],
        "keyset.json": [VectorOperation("keyset.parse", group: "format reading", "keyset")],
        "public_key.json": [VectorOperation("publicKey.parse", "publicKey")],
        "reveal.json": [
            VectorOperation(
                "reveal", group: "coupleKeyset identityKeyset",
                "coupleId questionId senderId recipientId encryptedPayload commitmentHash encryptedAnswerKey place pinnedCommitment?"
            )
        ],
        "safety_number.json": [
            VectorOperation("safetyNumber.fingerprint", "identity key"),
            VectorOperation("safetyNumber.couple", "coupleId \(people)"),
            VectorOperation("safetyNumber.x25519", people),
        ],
        "sealed_answer.json": [
            VectorOperation(
                "answer.open", "oneTimeKey coupleId questionId userId encryptedPayload commitmentHash")
        ],
        "stream.json": [VectorOperation("stream.open", group: "keyset", "ciphertext associatedData")],
        "wrap.json": [VectorOperation("wrap.unwrap", "wrappedCoupleKey kdfSalt kdfParams phrase")],
        "x25519.json": [VectorOperation("x25519.agree", "privateKey publicKey")],
    ]

    private static let people = "ourUserId ourPublicKey theirUserId theirPublicKey"
}

/// The name of a member, and whether it must be there.
struct MemberName: Equatable, Sendable {
    let name: String
    let isOptional: Bool

    init(_ text: some StringProtocol) {
        isOptional = text.hasSuffix("?")
        name = String(isOptional ? text.dropLast() : text[...])
    }

    static func list(_ text: String) -> [MemberName] { text.split(separator: " ").map { MemberName($0) } }
}
