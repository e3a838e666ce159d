internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// A couple's new key on its way to the partner.
enum RekeyOperations {
    static let all = [open, seal]

    static let open = VectorOperation(
        "rekey.open", file: "rekey.json", group: "identityKeyset",
        takes: "encryptedCoupleKey coupleId senderId recipientId epoch publicKey", gives: "keyset phrase"
    ) { input in
        let rekey = try Rekey(
            opening: try KeyboxToken(parsing: try input.text("encryptedCoupleKey")),
            epoch: try input.rekeyEpoch(), on: try input.route(), with: try input.keyset("identityKeyset"),
            from: try PublicKeyToken(parsing: try input.utf8("publicKey")))
        let phrase = rekey.grant.phrase.text.withBytes { Array(copying: $0) }
        return [
            "keyset": .keyset(rekey.grant.hold.key.keyset),
            "phrase": .string(String(decoding: phrase, as: UTF8.self)),
        ]
    }

    static let seal = VectorOperation(
        "rekey.seal",
        takes: "coupleId senderId recipientId epoch keyset phrase identityKeyset publicKey",
        gives: "encryptedCoupleKey",
        drawn: LiveSealing(
            reader: open, sealed: SealedPart(member: "encryptedCoupleKey", form: .token(.keybox)),
            fresh: SealedPart(
                member: "encryptedCoupleKey", form: .token(.keybox),
                count: P256.PointFormat.uncompressed.byteCount),
            freshName: "ephemeral key", draw: draw)
    ) { input, randomness in
        let hold = CoupleHold(
            epoch: try input.rekeyEpoch(), key: try CoupleKey(try input.keyset("keyset")))
        let phrase = try RecoveryPhrase(exactly: try input.secretText("phrase"))
        let keybox = try Rekey(CoupleGrant(hold, phrase: phrase)).sealed(
            on: try input.route(), with: try input.keyset("identityKeyset"),
            to: try PublicKeyToken(parsing: try input.utf8("publicKey")), from: randomness)
        return .text("encryptedCoupleKey", keybox.description)
    }

    /// Two people who know each other's keys.
    @Sendable private static func draw(_: LiveDirection) throws -> RandomCase {
        let (ours, theirs) = (Keyset(.ecies(ECIESParameters())), Keyset(.ecies(ECIESParameters())))
        let keyset = try Keyset(.aes256GCM).adding(.aes256GCM)
        let phrase = RecoveryPhrase.random().text.withBytes {
            String(decoding: Array(copying: $0), as: UTF8.self)
        }
        let (sender, recipient) = RandomValue.twoIdentifiers()
        let route: JSONValue = [
            "coupleId": .string(RandomValue.identifier()), "senderId": .string(sender),
            "recipientId": .string(recipient),
            "epoch": .string("\(UInt32.random(in: 1...1000))"),
        ]
        let granted: JSONValue = ["keyset": .keyset(keyset), "phrase": .string(phrase)]
        let keys: JSONValue = ["identityKeyset": .keyset(ours), "publicKey": try publicKey(theirs)]
        let reader: JSONValue = ["identityKeyset": .keyset(theirs), "publicKey": try publicKey(ours)]
        let names = (route.members ?? []).filter { $0.name != "epoch" }.map { member in
            RandomCase.Lie(
                member: member.name, value: .string(RandomValue.other(than: member.value.string ?? "")))
        }
        let stranger = RandomCase.Lie(
            member: "publicKey", value: try publicKey(Keyset(.ecies(ECIESParameters()))), error: .macInvalid)
        return RandomCase(
            comment: "two keys", sealing: route.merging(granted).merging(keys),
            opening: route.merging(reader),
            opened: granted, prefixByteCount: OutputPrefix.byteCount, lies: names + [stranger, stranger])
    }

    private static func publicKey(_ keyset: Keyset) throws -> JSONValue {
        .string(try PublicKeyToken(primaryOf: keyset).description)
    }
}

extension VectorInput {
    fileprivate func rekeyEpoch() throws -> UInt32 {
        guard let epoch = UInt32(try text("epoch")) else { throw MemberFault(name: "epoch") }
        return epoch
    }

    fileprivate func route() throws -> RekeyRoute {
        RekeyRoute(
            couple: try identifier("coupleId"), from: try identifier("senderId"),
            to: try identifier("recipientId"))
    }
}
