import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: InviteAPartner
nonisolated extension OurCouple {
    /// What the app shows to this person, and what it sends to the server.
    struct Beginning {
        let phrase, code: String
        let invite, document: Data
    }

    func begin() throws -> Beginning {
        let draft = try vault.draftCouple(of: id, beginningAt: .strict)
        try vault.store(draft)
        let document = Data(draft.couple.document.bytes)
        let phrase = InsecureCopy.string(draft.phrase.text)
        guard let secret = draft.invite else { throw VaultError.couple(.noInvite) }

        let whole = try InviteDocument(parsing: secret)
        let invite = whole.withoutCode().bytes
        guard let code = whole.code else { throw VaultError.couple(.noInvite) }
        return Beginning(
            phrase: phrase, code: InsecureCopy.string(code.text), invite: Data(InsecureCopy.bytes(invite)),
            document: document)
    }
}
// doc: end

// doc: InviteAPartner
nonisolated extension OurCouple {
    /// The sixty digits, in groups, for the screen.
    func safetyNumber(theirDevice: Data) throws -> String {
        let key = try DeviceDocument(parsing: theirDevice).publicKey
        return try vault.safetyNumber(of: id, partner: partner, key: key).description
    }

    /// Compares them with what the person typed from the partner's screen.
    func compare(typed digits: String, theirDevice: Data) throws {
        let key = try DeviceDocument(parsing: theirDevice).publicKey
        let theirs = try SafetyNumber(typed: Data(digits.utf8))
        try vault.verify(partner: partner, of: id, key: key, against: theirs)
    }
}
// doc: end

// doc: InviteAPartner
nonisolated extension OurCouple {
    /// The phone whose user's name sorts first sends the new key.
    func sendsRekey() throws -> Bool { try vault.sendsRekey(partner: partner) }

    /// Makes a new couple key. The phrase is for the screen, and both documents are for the server.
    func rekey() throws -> (phrase: String, rekey: Data, document: Data) {
        let draft = try vault.draftRekey(of: id, partner: partner)
        try vault.store(draft)
        let (rekey, document) = (draft.document.bytes, draft.couple.document.bytes)
        return (InsecureCopy.string(draft.phrase.text), Data(rekey), Data(document))
    }

    /// Takes the partner's new couple key, and gives its phrase for the screen; nil if it was taken before.
    func accept(rekey: Data) throws -> String? {
        let rekey = try RekeyDocument(parsing: rekey)
        guard let draft = try vault.draftAcceptance(for: rekey, of: id, partner: partner) else { return nil }
        try vault.store(draft)
        return InsecureCopy.string(draft.phrase.text)
    }
}
// doc: end

@Suite("The article: Invite a partner")
struct InviteAPartnerTests {
    private let folder: TemporaryFolder
    private let (ours, theirs): (OurCouple, OurCouple)

    init() throws {
        folder = try TemporaryFolder()
        ours = try OurCouple("couple_1", with: "bob", in: Phone("alice", in: folder).vault)
        theirs = try OurCouple("couple_1", with: "alice", in: Phone("bob", in: folder).vault)
    }

    @Test("the partner joins with the code, which is not in what the server gets") func invite() throws {
        let beginning = try ours.begin()
        #expect(beginning.phrase.split(separator: " ").count == 10 && beginning.code.count == 6)
        #expect(beginning.invite.range(of: Data(beginning.code.utf8)) == nil)
        #expect(try DocumentKind.couple.brokenRules(in: beginning.document).isEmpty)
        try theirs.join(invite: beginning.invite, code: beginning.code)
        #expect(try theirs.open(ours.seal("dinner at eight?")) == "dinner at eight?")

        let again = try OurCouple("couple_1", with: "bob", in: Phone("alice", in: folder, model: "new").vault)
        try again.recover(document: beginning.document, phrase: beginning.phrase)
        #expect(try again.open(ours.seal("still here")) == "still here")
    }

    @Test("after a comparison and a rekey, the couple is end-to-end encrypted") func rekey() throws {
        let beginning = try ours.begin()
        try theirs.join(invite: beginning.invite, code: beginning.code)
        #expect(throws: VaultError.rekey(.notVerified)) { try ours.rekey() }
        let (ourDevice, theirDevice) = (try ours.deviceDocument(), try theirs.deviceDocument())
        let digits = try theirs.safetyNumber(theirDevice: ourDevice)
        try ours.compare(typed: digits, theirDevice: theirDevice)
        try theirs.compare(typed: ours.safetyNumber(theirDevice: theirDevice), theirDevice: ourDevice)
        #expect(throws: VaultError.verification(.mismatch)) {
            try ours.compare(typed: String(repeating: "1", count: 60), theirDevice: theirDevice)
        }

        #expect(try ours.sendsRekey() && !theirs.sendsRekey())
        let old = try ours.seal("before")
        let sent = try ours.rekey()
        #expect(try theirs.accept(rekey: sent.rekey) == sent.phrase)
        #expect(try theirs.accept(rekey: sent.rekey) == nil)
        #expect(try ours.vault.pairingState(of: ours.id) == .rekeyed)
        #expect(try theirs.vault.pairingState(of: theirs.id) == .rekeyed)
        #expect(try theirs.open(ours.seal("after")) == "after" && theirs.open(old) == "before")

        let again = try OurCouple("couple_1", with: "bob", in: Phone("alice", in: folder, model: "new").vault)
        #expect(throws: VaultError.unwrap(.wrongPhrase)) {
            try again.recover(document: sent.document, phrase: beginning.phrase)
        }
        try again.recover(document: sent.document, phrase: sent.phrase)
        #expect(try again.open(old) == "before")
    }
}
