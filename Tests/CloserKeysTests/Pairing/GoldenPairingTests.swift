import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

@Suite("Pairing: closer-keys-pairing(7), KEYS and STEPS", .serialized)
struct GoldenPairingTests {
    @Test("channel, associated data, transcript and keys are the golden ones", arguments: GoldenPairing.all)
    func parts(_ pairing: GoldenPairing) throws {
        let (offer, reply) = (try pairing.offer(), try pairing.reply())
        #expect(offer.channel == pairing.value.hex("channelHex"))
        #expect(offer.message.associatedData == pairing.value.hex("adaHex"))
        #expect(reply.message.associatedData == pairing.value.hex("adbHex"))
        let transcript = PairingTranscript(offer, reply)
        #expect(transcript.digest == pairing.value.hex("digestHex"))
        let sessionKey = SecretBytes(testOnly: pairing.value.hex("iskHex"))
        for label in [PairingTranscript.KeyLabel.reply, .hold, .grant, .seal] {
            let key = transcript.key(label, from: sessionKey).testOnlyBytes()
            #expect(key == pairing.value.hex("keysHex.\(label.rawValue)"))
        }
    }

    @Test("offer, reply and grant are made again with the same random values", arguments: GoldenPairing.all)
    func steps(_ pairing: GoldenPairing) throws {
        let invite = try pairing.openOffer()
        #expect(invite.offer.bytes == pairing.document("offer"))
        let answer = try pairing.answered()
        #expect(answer.reply.bytes == pairing.document("reply"))
        let admitted = try invite.judge(try pairing.reply())
        let party = try GoldenPairing.party(pairing.acceptor)
        #expect(admitted.party == party)
        let held = try pairing.hold(of: pairing.acceptor, at: "before")
        #expect(admitted.hold?.epoch == held?.epoch && admitted.hold?.keysetBytes == held?.keysetBytes)

        let phrase = try RecoveryPhrase(
            typed: SecretBytes(testOnly: Array(pairing.value.text("phrase").utf8)))
        let ours = try #require(try pairing.hold(of: pairing.inviter, at: "before"))
        let isAlone = pairing.value.at("before.\(pairing.inviter).alone").bytes == Array("true".utf8)
        let united = try ours.united(
            with: admitted.hold, isAlone: isAlone, from: .testOnlyScript(try pairing.newPrimary()))
        try expect(united, of: pairing.inviter, after: pairing)
        let granted = CoupleGrant(united, phrase: phrase)
        let body = granted.body(named: "couple").testOnlyBytes()
        #expect(body == pairing.value.hex("bodyHex"))
        let grant = admitted.grant(
            granted, drawingFrom: .testOnlyScript(pairing.value.hex("sealIvHex")))
        #expect(grant.bytes == pairing.document("grant"))

        let opened = try answer.open(try pairing.grant())
        let text = opened.phrase.text.testOnlyBytes()
        #expect(text == Array(pairing.value.text("phrase").utf8))
        try expect(try opened.united(with: held), of: pairing.acceptor, after: pairing)
    }

    private func expect(_ hold: CoupleHold, of person: String, after pairing: GoldenPairing) throws {
        let after = try #require(try pairing.hold(of: person, at: "after"))
        #expect(hold.epoch == after.epoch)
        #expect(hold.keysetBytes == after.keysetBytes)
        let couple = try CoupleID(parsing: pairing.value.text("coupleId"))
        let fingerprint = hold.key.fingerprint(couple: couple).filter { $0 != " " }
        #expect(fingerprint == pairing.value.text("after.\(person).fingerprint"))
    }

    @Test("both sides go on after a restart with what they stored", arguments: GoldenPairing.all)
    func resumed(_ pairing: GoldenPairing) throws {
        let scalar = try pairing.openOffer().withScalar { SecretBytes(copying: $0) }
        let stored = scalar.testOnlyBytes()
        #expect(stored == pairing.value.hex("yaHex"))
        let invite = try OpenOffer(resuming: try pairing.offer(), scalar: scalar)
        let admitted = try invite.judge(try pairing.reply())
        let ours = try #require(try pairing.hold(of: pairing.inviter, at: "after"))
        let grant = admitted.grant(CoupleGrant(ours, phrase: .random()))

        let keys = try pairing.answered().withKeys { SecretBytes(copying: $0) }
        let kept = keys.testOnlyBytes()
        #expect(kept == pairing.value.hex("keysHex.grant") + pairing.value.hex("keysHex.seal"))
        let answer = try AnsweredOffer(
            resuming: try pairing.reply(), to: try pairing.offer(), keys: keys)
        let opened = try answer.open(try PairGrant(parsing: grant.bytes))
        #expect(opened.hold.keysetBytes == ours.keysetBytes)
        // And once more: a grant may come twice.
        #expect(try answer.open(grant).hold.epoch == ours.epoch)
    }

    @Test("what was stored in another form is refused")
    func damaged() throws {
        let pairing = GoldenPairing.all[0]
        for bytes in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), [1]] {
            #expect(throws: PairingError.malformed) {
                _ = try OpenOffer(resuming: try pairing.offer(), scalar: SecretBytes(testOnly: bytes))
            }
        }
        for count in [1, 63, 65] {
            #expect(throws: PairingError.malformed) {
                let keys = SecretBytes(testOnly: [UInt8](repeating: 1, count: count))
                _ = try AnsweredOffer(resuming: try pairing.reply(), to: try pairing.offer(), keys: keys)
            }
        }
    }

    @Test("a grant brings no phrase that steers a terminal or cannot be written down")
    func plainPhrase() throws {
        let pairing = GoldenPairing.all[0]
        let ours = try #require(try pairing.hold(of: pairing.inviter, at: "after"))
        for (text, isPlain) in [
            ("abandon\u{1B}[8m ability", false), ("abandon ability\0", false),
            ("abandon\u{7F}ability", false), ("abandon\u{9B}6n ability", false),
            ("abandon \u{202E}ability", false),
            ("löwe bär", false), ("alpha bravo charlie delta echo foxtrot golf hotel india juliet", true),
        ] {
            let phrase = try RecoveryPhrase(typed: SecretBytes(testOnly: Array(text.utf8)))
            let admitted = try pairing.openOffer().judge(try pairing.reply())
            let grant = admitted.grant(CoupleGrant(ours, phrase: phrase))
            let answer = try pairing.answered()
            do {
                _ = try answer.open(grant).hold.epoch
                #expect(isPlain, "\(text.debugDescription)")
            } catch { #expect(error == .phraseRefused && !isPlain, "\(text.debugDescription)") }
        }
    }

    @Test("two strangers' devices pair, whatever they draw")
    func drawn() throws {
        let (alice, bob) = (try GoldenPairing.party("alice"), try GoldenPairing.party("bob"))
        let couple = try CoupleID(parsing: "couple_2")
        let key = try CoupleKey(Keyset(.aes256GCM))
        let code = PairingCode.random()
        let invite = OpenOffer(to: couple, from: alice, code: code)
        let told = try PairingCode(typed: code.text)
        let answer = try AnsweredOffer(
            answering: invite.offer, with: told, as: bob, holding: nil)
        let admitted = try invite.judge(answer.reply)
        let ours = try CoupleHold(epoch: 0, key: key).united(with: admitted.hold, isAlone: true)
        let grant = admitted.grant(CoupleGrant(ours, phrase: .random()))
        let theirs = try answer.open(grant).united(with: nil)
        #expect(theirs.key.fingerprint(couple: couple) == key.fingerprint(couple: couple))
    }
}

extension GoldenPairing {
    /// The id and the bytes of the primary that the inviter drew; nothing if it kept its own.
    fileprivate func newPrimary() throws -> [UInt8] {
        let after = try #require(try hold(of: inviter, at: "after")).key
        let before = try #require(try hold(of: inviter, at: "before")).key
        guard after.keyset.primaryID != before.keyset.primaryID else { return [] }
        let bytes = after.primaryKey.withBytes { $0.testOnlyBytes() }
        return [UInt8](bigEndian: after.keyset.primaryID) + bytes
    }
}
