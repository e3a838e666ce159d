import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

@Suite("What a vault knows of a recovery phrase")
struct PhraseStateTests {
    private let scene: PairingScene
    private var vault: Vault { scene.alice }
    private var couple: CoupleID { scene.couple }

    init() throws { scene = try PairingScene() }

    private func create() throws -> RecoveryPhrase {
        let draft = try vault.draftCouple(of: couple, beginningAt: .strict)
        try vault.store(draft)
        return draft.phrase
    }

    @Test("a new one is not confirmed, until a person says so")
    func confirmed() throws {
        _ = try create()
        #expect(try vault.couple(couple).phrase == .notConfirmed)
        let document = try vault.couple(couple).document
        #expect(try vault.confirmPhrase(of: couple, opening: document))
        #expect(try vault.couple(couple).phrase == .confirmed)
        #expect(try vault.confirmPhrase(of: couple, opening: document))
        try vault.store(try vault.draftRewrap(of: couple))
        #expect(try vault.couple(couple).phrase == .notConfirmed)
        #expect(try scene.vaults.open("a").couple(couple).phrase == .notConfirmed)
    }

    @Test("one that was replaced while it was shown confirms nothing")
    func replaced() throws {
        _ = try create()
        let shown = try vault.couple(couple).document
        let other = try scene.vaults.open("a")
        try other.store(try other.draftRewrap(of: couple))
        #expect(try !vault.confirmPhrase(of: couple, opening: shown))
        #expect(try vault.couple(couple).phrase == .notConfirmed)
        #expect(try other.confirmPhrase(of: couple, opening: other.couple(couple).document))
        #expect(try !vault.confirmPhrase(of: couple, opening: shown))
        #expect(try vault.couple(couple).phrase == .confirmed)
    }

    @Test("one that was brought is rehearsed, and is not only confirmed afterwards")
    func rehearsed() throws {
        let phrase = try create()
        let document = try vault.couple(couple).document
        #expect(try vault.rememberRehearsal(of: couple, from: document, phrase: phrase))
        #expect(try vault.couple(couple).phrase == .rehearsedToday)
        #expect(try vault.confirmPhrase(of: couple, opening: document))
        #expect(try vault.couple(couple).phrase == .rehearsedToday)
        let changes = vault.version.changeCount
        try vault.rememberRehearsal(of: couple, from: document, phrase: phrase)
        #expect(vault.version.changeCount == changes)
        try vault.store(try vault.draftRewrap(of: couple))
        #expect(try !vault.rememberRehearsal(of: couple, from: document, phrase: phrase))
        #expect(try vault.couple(couple).phrase == .notConfirmed)
        try vault.recover(couple, from: document, phrase: phrase, beginningAt: .strict)
        #expect(try vault.couple(couple).phrase == .rehearsedToday)
    }

    @Test("a record that says nothing of it is read and written as it was")
    func before() throws {
        _ = try create()
        for state in [nil, .notConfirmed, .confirmed, .rehearsed(day: Timestamp(secondsSince1970: 86_400))]
            as [Couple.PhraseState?]
        {
            var planted = try vault.couple(couple)
            planted.phrase = state
            try vault.change { (transaction) throws(VaultError) in transaction.put(planted) }
            #expect(try scene.vaults.open("a").couple(couple).phrase == state)
        }
    }
}
