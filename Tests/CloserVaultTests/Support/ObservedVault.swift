import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

/// A vault in memory with one record of every kind, and everything that can be seen through the doors of the module.
struct ObservedVault {
    let vault: Vault
    let vaults: MemoryVaults
    private let couple: CoupleID
    private let question: QuestionID
    private let place: AnswerPlace

    init() throws {
        vaults = MemoryVaults()
        (couple, question) = (try CoupleID(parsing: "couple_1"), try QuestionID(parsing: "q_42"))
        place = try AnswerPlace(parsing: "daily:2026-11-20")
        let bob = try vaults.make("b", for: "bob")
        let alice = try vaults.make("a")
        for vault in [alice, bob] {
            try vault.plant(couple)
            try vault.seal(
                answer: "{\"answer\":\"of \(vault.name)\"}".utf8, to: question, at: place, of: couple)
        }
        let name = AnswerName(couple: couple, question: question, place: place)
        let (ours, theirs) = (try alice.answer(name).document, try bob.answer(name).document)
        // Both done: the records have every field that they can have, but for the text.
        _ = try alice.release(
            name, to: PartnerAnswer(of: UserID(parsing: "bob"), theirs), key: bob.device.publicKey)
        let keybox = try bob.release(
            name, to: PartnerAnswer(of: UserID(parsing: "alice"), ours), key: alice.device.publicKey)
        _ = try alice.reveal(
            name, of: PartnerAnswer(of: UserID(parsing: "bob"), theirs), with: keybox.document)
        let invite = StoredInvite(SecretBytes(testOnly: Array("{\"code\":\"7KQ2MX\"}".utf8)), couple: couple)
        try alice.change { $0.put(invite) }
        try Self.plantPairing(couple, in: alice)
        vault = alice
    }

    /// What no story leaves behind all at once.
    private static func plantPairing(_ couple: CoupleID, in vault: Vault) throws {
        let (device, former) = (try vault.device, try vault.couple(couple))
        let code = PairingCode.random()
        let invite = OpenOffer(to: couple, from: try device.party(), code: code)
        let pairing = StoredPairing(
            invite, code: code, madeAt: Timestamp(secondsSince1970: 1), end: Timestamp(secondsSince1970: 2))
        let phrase = StoredPhrase(RecoveryPhrase.random(), of: couple)
        try vault.change { (transaction) in
            transaction.put(pairing)
            transaction.put(phrase)
            transaction.put(KeptPhrase(StoredPhrase(RecoveryPhrase.random(), of: couple)))
            transaction.put(ForgottenCouple(former, after: nil))
            transaction.put(Policy(requiresPairing: true))
            transaction.put(OlderCopy(since: Timestamp(secondsSince1970: 1)))
        }
        // A chat with somebody who is no partner.
        let friend = try UserID(parsing: "carol")
        try vault.pin(X25519PrivateKey().publicKey, of: friend)
        _ = try vault.chat(with: friend).renew()
        try vault.change { $0.put(StoredChat(friend)) }
    }

    /// What the vault's storage has.
    var bytes: [UInt8] { get throws { try vaults.bytes(vault.name) } }

    /// Changes that behind the vault's back.
    func write(_ bytes: [UInt8]) { vaults.write(bytes, to: vault.name) }

    func open() throws(VaultError) -> Vault { try vaults.open(vault.name) }

    /// Every door of the vault, opened anew, and what it shows, or its error; or only these.
    func see(_ only: Set<String>? = nil) throws -> [String: String] {
        doors(try open()).filter { only?.contains($0.key) ?? true }.mapValues { look in
            do { return try look() } catch { return "error: \(error)" }
        }
    }

    private func doors(_ vault: Vault) -> [String: () throws -> String] {
        let name = AnswerName(couple: couple, question: question, place: place)
        let anywhere = AnswerName(couple: couple, question: question, place: nil)
        return [
            "device": { "\(try vault.device.userID.text) \(try vault.device.publicKey)" },
            "x25519": { try vault.device.x25519PublicKey },
            "couple": { describe(try vault.couple(couple)) },
            "couples": { try vault.couples.map(describe).joined() },
            "state": { try vault.pairingState(of: couple).rawValue },
            "invite": {
                let invite = try vault.read { (transaction) throws(VaultError) in
                    try transaction.record(StoredInvite.self, StoredInvite.id(couple))
                }
                return invite.map { Hidden.text($0.copy()) } ?? "nil"
            },
            "partners": { try vault.partners(of: couple).map { "\($0)" }.joined() },
            "partner": {
                let id = Partner.id(try UserID(parsing: "bob"), of: couple)
                let partner = try vault.read { (transaction) throws(VaultError) in
                    try transaction.record(Partner.self, id)
                }
                return partner.map { "\($0)" } ?? "nil"
            },
            "answer": { describe(try vault.answer(name)) },
            "answer anywhere": { describe(try vault.answer(anywhere)) },
            "version": {
                let id = VersionPin.id(couple)
                let pin = try vault.read { (transaction) throws(VaultError) in
                    try transaction.record(VersionPin.self, id)
                }
                return pin.map { "\($0)" } ?? "nil"
            },
            "changes": { "\(try vault.changeCount)" },
            "pairings": { "\(try vault.pairings(of: couple).map { "\($0.lookup) \($0.status)" })" },
            "phrase": {
                let phrase = try vault.read { (transaction) throws(VaultError) in
                    try transaction.record(StoredPhrase.self, StoredPhrase.id(couple))
                }
                return try phrase.map { Hidden.text(try $0.phrase().text.copied()) } ?? "nil"
            },
            "kept phrase": { Hidden.text(try vault.phrase(of: couple).text.copied()) },
            "policy": { "\(try vault.policy)" },
            "chat": { "\(try vault.chat(with: UserID(parsing: "carol")).state.numbers)" },
            "person": { "\(try vault.chat(with: UserID(parsing: "carol")).state.key)" },
            "older copy": {
                let copy = try vault.read { (transaction) throws(VaultError) in
                    try transaction.record(OlderCopy.self, OlderCopy.id)
                }
                return copy.map { "\($0)" } ?? "nil"
            },
            "forgotten": {
                let former = try vault.read { (transaction) throws(VaultError) in
                    try transaction.record(ForgottenCouple.self, ForgottenCouple.id(couple))
                }
                return former.map { "\($0)" } ?? "nil"
            },
        ]
    }

    private func describe(_ couple: Couple) -> String {
        "\(couple.id) \(couple.fingerprint) \(couple.wrap) \(couple.origins)"
    }

    private func describe(_ answer: StoredAnswer) -> String {
        let sealed = answer.sealed.map { "\($0.token) \($0.oneTimeKey.primary.id)" } ?? "not kept"
        let release = answer.release.map { "\($0)" } ?? "none"
        return "\(answer.place) \(answer.author) \(answer.commitment) \(sealed) "
            + "\(answer.pin as Pin?) \(answer.isRevealed) \(answer.isInConflict) \(release)"
    }
}

extension SecretBytes {
    fileprivate borrowing func copied() -> SecretBytes { withBytes { SecretBytes(copying: $0) } }
}

private enum Hidden {
    static func text(_ secret: consuming SecretBytes) -> String {
        String(decoding: secret.testOnlyBytes(), as: UTF8.self)
    }
}
