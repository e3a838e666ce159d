import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

/// A golden refusal.
private struct Refusal: Sendable, CustomTestStringConvertible {
    let value: JSONValue

    static let all = (TestData.pairing["refusals"]?.array ?? []).map(Refusal.init)
    /// What only a device with a memory can refuse: that an invite is open, used or expired, and whom it knows.
    private static let memories = ["after", "pinned", "own", "partner", "coupleId", "now"]

    var testDescription: String { value.text("name") }
    var document: [UInt8] { value.at("document").bytes }
    var pairing: GoldenPairing { .named(value.text("scenario")) }

    var needsMemory: Bool {
        Self.memories.contains { value[$0] != nil } || value["device"]?.string == "another of bob"
    }

    /// Takes the step as far as the library goes.
    func run() throws {
        switch value.text("step") {
        case "accept": try accept()
        case "confirm": try confirm()
        default: try finish()
        }
    }

    private func accept() throws {
        let offer = try PairOffer(parsing: document)
        let device = value["device"]?.string ?? pairing.acceptor
        _ = try AnsweredOffer(
            answering: offer, with: .typed(value.text("typed")), as: GoldenPairing.party(device), holding: nil
        )
    }

    private func confirm() throws {
        let reply = try PairReply(parsing: document)
        let admitted = try invite().judge(reply)
        guard let holds = value["holds"] else { return }
        _ = try CoupleHold(golden: holds).united(with: admitted.hold, isAlone: false)
    }

    private func invite() throws -> OpenOffer {
        guard value["offer"] != nil else {
            return try pairing.openOffer(
                session: value["sidHex"].map { _ in value.hex("sidHex") },
                scalar: value["yaHex"].map { _ in value.hex("yaHex") })
        }
        return try OpenOffer(
            resuming: PairOffer(parsing: value.at("offer").bytes),
            scalar: SecretBytes(testOnly: value.hex("yaHex")))
    }

    private func finish() throws {
        let grant = try PairGrant(parsing: document)
        let ours =
            try value["holds"].map(CoupleHold.init(golden:))
            ?? pairing.hold(of: pairing.acceptor, at: "before")
        _ = try pairing.answered().open(grant).united(with: ours)
    }
}

@Suite("What a pairing refuses: closer-keys-pairing(7), STEPS")
struct PairingRefusalTests {
    private let pairing = GoldenPairing.named("couple of today")

    @Test("each golden refusal that needs no memory", arguments: Refusal.all.filter { !$0.needsMemory })
    fileprivate func refusal(_ refusal: Refusal) throws {
        do {
            try refusal.run()
            Issue.record("it was taken")
        } catch { #expect(name(of: error) == refusal.value.text("error.code"), "\(error)") }
    }

    @Test("and no golden refusal is left out")
    func complete() {
        #expect(Refusal.all.count == 75)
        #expect(Refusal.all.filter { !$0.needsMemory }.count == 56)
    }

    private func name(of error: any Error) -> String {
        switch error {
        case is DocumentError: "malformed"
        case let error as PairingError: name(of: error)
        default: "\(error)"
        }
    }

    private func name(of error: PairingError) -> String {
        switch error {
        case .otherCode: "authFailed"
        case .otherOffer: "noKey"
        case .ownUser: "usage"
        case .ownKey: "partnerKeyMismatch"
        case .codeMismatch: "codeMismatch"
        case .macInvalid: "macInvalid"
        case .malformed: "malformed"
        case .phraseRefused: "phraseRefused"
        case .epochMismatch: "epochMismatch"
        case .keyMismatch: "keyMismatch"
        case .epochTooHigh, .tooManyKeys: "limit"
        }
    }

    @Test("a wrong code is seen by the inviter, whichever symbol of it is wrong")
    func wrongCodes() throws {
        let code = pairing.value.text("code")
        for index in 7..<13 {
            var symbols = Array(code)
            symbols[index] = symbols[index] == "0" ? "1" : "0"
            let reply = try pairing.answered(typed: String(symbols)).reply
            #expect(throws: PairingError.codeMismatch) { _ = try pairing.openOffer().judge(reply) }
        }
    }

    @Test(
        "a party with our X25519 key, or with our own point or its negative, is ourselves",
        .proves("Pairing: a server gets one guess at each end, whatever order of steps it forces"))
    func ownKeys() throws {
        let (ours, theirs) = (try GoldenPairing.party("alice"), try GoldenPairing.party("bob"))
        let negative = try PublicKeyToken(parsing: negativeOfAlice.utf8)
        #expect(!negative.isSameKey(as: ours.publicKey))
        for (key, x25519) in [
            (theirs.publicKey, ours.x25519PublicKey), (negative, theirs.x25519PublicKey),
            (ours.publicKey, theirs.x25519PublicKey),
        ] {
            let other = PairingParty(user: theirs.user, publicKey: key, x25519PublicKey: x25519)
            #expect(throws: PairingError.ownKey) { try ours.check(other) }
            #expect(throws: PairingError.ownKey) {
                let invite = OpenOffer(to: try CoupleID(parsing: "c"), from: other, code: .random())
                let code = try PairingCode.typed(invite.offer.lookup.text + "000000")
                _ = try AnsweredOffer(answering: invite.offer, with: code, as: ours, holding: nil)
            }
        }
        try ours.check(theirs)
    }

    /// The golden key of Alice with p − y instead of y, by pyca/cryptography.
    private let negativeOfAlice =
        "pub:v1:CP6Vt10S3AEK0AEKPXR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLmNyeXB0by50aW5rLkVjaWVzQWVhZEhrZGZQdWJsaWNLZXkSjAESRAoECAIQAxI6EjgKMHR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLmNyeXB0by50aW5rLkFlc0djbUtleRICEBAYARgBGiEAXnIhCkD97lpAUFwALmgryNsxRmfGAxf6h-ukxDp_3XwiIQCt6pZhB6Uv12Bnl3qhzSog8mtPLl3WBgfGlDJgQrCo5hgDEAEY_pW3XSAB"

    @Test("what fails before the verdict leaves the invite as it was")
    func checkedBefore() throws {
        let invite = try pairing.openOffer()
        let reply = try pairing.reply()
        let own = PairReply(
            reply.lookup, invite.offer.inviter, share: reply.share, tag: reply.tag, hold: reply.hold)
        #expect(throws: PairingError.ownUser) { try invite.check(own) }
        let other = try PairReply(parsing: GoldenPairing.named("lost phone").document("reply"))
        #expect(throws: PairingError.otherOffer) { try invite.check(other) }
        try invite.check(reply)
        let admitted = try invite.judge(reply)
        #expect(admitted.party.user.text == "alice")
    }
}
