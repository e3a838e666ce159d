import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

@Suite("What a couple never unlearns")
struct VersionPinTests {
    private let vaults: MemoryVaults
    private let vault: Vault
    private let couple: CoupleID

    init() throws {
        vaults = MemoryVaults()
        vault = try vaults.make("v")
        couple = try CoupleID(parsing: "couple_1")
    }

    private func document(version: Int, wrap: KeyWrap? = Golden.wrap) throws -> CoupleDocument {
        guard let wrap else { return try CoupleDocument(parsing: "{\"encryptionVersion\":\(version)}".utf8) }
        let params = wrap.kdfParams.replacing("\"", with: "\\\"")
        return try CoupleDocument(
            parsing: """
                {"encryptionVersion":\(version),"wrappedCoupleKey":"\(wrap.wrappedCoupleKey)",\
                "kdfSalt":"\(wrap.kdfSalt)","kdfParams":"\(params)"}
                """.utf8)
    }

    private var pin: EncryptionVersion? {
        get throws {
            try vault.read { (transaction) throws(VaultError) in
                try transaction.record(VersionPin.self, VersionPin.id(couple))?.version
            }
        }
    }

    @Test(
        "the golden document and phrase bring the golden key back, and pin version 2",
        .proves("W9: the document of a new couple has version 2"))
    func recover() throws {
        try vault.recover(couple, from: document(version: 2), phrase: Golden.phrase(), beginningAt: .strict)
        let golden = try CoupleKey(Golden.keyset())
        #expect(try vault.couple(couple).key.hasAllKeys(of: golden))
        #expect(try vault.couple(couple).origin(ofKey: golden.keyset.primaryID) == .invite)
        #expect(try pin == .strict)
        // A rehearsal only tries the phrase.
        let lower = try document(version: 1)
        #expect(try vault.rehearse(couple, from: lower, phrase: Golden.phrase()).hasAllKeys(of: golden))
        #expect(try pin == .strict)
    }

    @Test(
        "a lower version is refused, with the couple, without it, and after it was forgotten",
        .proves("W9: no document brings down the encryption version that a device has seen"))
    func lowered() throws {
        try vault.plant(couple)
        let migrating = try document(version: 1)
        let plain = try document(version: 0, wrap: nil)
        for isForgotten in [false, true] {
            if isForgotten { try vault.forget(couple) }
            try refuses(.migration(.lowered(to: .migrating, from: .strict)), vault) {
                try vault.recover(couple, from: migrating, phrase: Golden.phrase(), beginningAt: .strict)
            }
            try refuses(.migration(.lowered(to: .plaintext, from: .strict)), vault) {
                try vault.recover(couple, from: plain, phrase: Golden.phrase(), beginningAt: .strict)
            }
            #expect(try pin == .strict)
        }
    }

    @Test(
        "a document at 1 is refused for a couple that this vault never saw, and taken with a person's word",
        .proves("W9: a server begins no migration"))
    func neverSeen() throws {
        let migrating = try document(version: 1)
        try refuses(.migration(.lowered(to: .migrating, from: .strict)), vault) {
            try vault.recover(couple, from: migrating, phrase: Golden.phrase(), beginningAt: .strict)
        }
        #expect(try pin == nil && vault.coupleIDs.isEmpty)
        try vault.recover(couple, from: migrating, phrase: Golden.phrase(), beginningAt: .migrating)
        #expect(try vault.migration(of: couple) == Migration(beginningAt: .migrating))
        // It was seen, and forgotten.
        try vault.forget(couple)
        try vault.recover(couple, from: migrating, phrase: Golden.phrase(), beginningAt: .strict)
        #expect(try vault.migration(of: couple) == Migration(beginningAt: .migrating))
    }

    @Test("a person's word makes a couple at 2 known to migrate, by each way in, and its pin stays")
    func said() throws {
        let known = Migration(pin: .strict, migrated: [])
        let ways: [(Vault) throws -> Void] = [
            { try $0.setMigrating(of: couple) },
            {
                try $0.recover(
                    couple, from: document(version: 2), phrase: Golden.phrase(), beginningAt: .migrating)
            },
            {
                try $0.recover(
                    couple, from: document(version: 1), phrase: Golden.phrase(), beginningAt: .migrating)
            },
            { try join(CoupleKey(Golden.keyset()), in: $0, beginningAt: .migrating) },
            { vault in
                try vault.forget(couple)
                try join(CoupleKey(Golden.keyset()), in: vault, beginningAt: .migrating)
            },
            { vault in
                try vault.forget(couple)
                try vault.store(vault.draftOffer(of: couple, beginningAt: .migrating))
            },
        ]
        for (number, way) in ways.enumerated() {
            let vault = try vaults.make("way \(number)")
            try vault.recover(
                couple, from: document(version: 2), phrase: Golden.phrase(), beginningAt: .strict)
            #expect(try vault.migration(of: couple) == Migration(beginningAt: .strict))
            try way(vault)
            #expect(try vault.migration(of: couple) == known, "way \(number)")
            #expect(try vault.setMigrating(of: couple) == false)
        }
    }

    @Test(
        "what was forgotten at 1 begins there again, by each way in, and a document's marks of ours count for nothing"
    )
    func again() throws {
        try vault.recover(
            couple, from: document(version: 1), phrase: Golden.phrase(), beginningAt: .migrating)
        let ways: [() throws -> Void] = [
            { try vault.store(vault.draftOffer(of: couple, beginningAt: .strict)) },
            { try vault.store(vault.draftCouple(of: couple, beginningAt: .strict)) },
            { try join(CoupleKey(Golden.keyset())) },
        ]
        for way in ways {
            try vault.forget(couple)
            try way()
            #expect(try vault.migration(of: couple) == Migration(beginningAt: .migrating))
        }
    }

    @Test(
        "a pin rises from 1 to 2, and nothing brings it back",
        .proves("W9: no document brings down the encryption version that a device has seen"))
    func rises() throws {
        try vault.recover(
            couple, from: document(version: 1), phrase: Golden.phrase(), beginningAt: .migrating)
        #expect(try pin == .migrating)
        try vault.recover(couple, from: document(version: 2), phrase: Golden.phrase(), beginningAt: .strict)
        #expect(try pin == .strict)
        for version in [EncryptionVersion.plaintext, .migrating, .strict] {
            try vault.change { (transaction) throws(VaultError) in
                try transaction.raisePin(of: couple, to: version)
            }
            #expect(try pin == .strict)
        }
    }

    @Test("one couple's pin is not another one's, and a couple without a wrap has nothing to recover")
    func others() throws {
        try vault.plant(couple)
        let other = try CoupleID(parsing: "couple_2")
        try refuses(CoupleError.notEncrypted, vault) {
            try vault.recover(
                other, from: document(version: 0, wrap: nil), phrase: Golden.phrase(), beginningAt: .strict)
        }
    }

    @Test(
        "another phrase, costs that are not v1's, no salt, and a wrap that holds another key than a couple's")
    func refused() throws {
        try refuses(.unwrap(.wrongPhrase), vault) {
            try vault.recover(
                couple, from: document(version: 2), phrase: RecoveryPhrase.random(), beginningAt: .strict)
        }
        let wrap = KeyWrap(
            wrappedCoupleKey: Golden.wrap.wrappedCoupleKey, kdfSalt: Golden.wrap.kdfSalt,
            kdfParams: Golden.wrap.kdfParams.replacing("46080", with: "46081"))
        try refuses(.unwrap(.wrongCosts), vault) {
            try vault.recover(
                couple, from: CoupleDocument(wrap), phrase: Golden.phrase(), beginningAt: .strict)
        }
        let unsalted = KeyWrap(
            wrappedCoupleKey: wrap.wrappedCoupleKey, kdfSalt: "", kdfParams: Golden.wrap.kdfParams)
        try refuses(.unwrap(.malformed), vault) {
            try vault.recover(
                couple, from: CoupleDocument(unsalted), phrase: Golden.phrase(), beginningAt: .strict)
        }
        try refuses(.unwrap(.keyset(.wrongKind(expected: .aesGCM))), vault) {
            let wrap = try Self.wrap(of: Keyset(.ecies(ECIESParameters())))
            try vault.recover(
                couple, from: CoupleDocument(wrap), phrase: Golden.phrase(), beginningAt: .strict)
        }
    }

    /// Of any keyset, under the golden phrase and salt.
    private static func wrap(of keyset: Keyset) throws -> KeyWrap {
        let salt = try Base64.standard.decode(Golden.wrap.kdfSalt)
        let cipher = AESGCM(key: try WrapCost.argon2id.derive(from: Golden.phrase().text, salt: salt.span))
        let box = InsecureCleartextKeyset.binary(keyset).withBytes {
            cipher.sealCombined($0, authenticating: Array("closer_couple_key".utf8).span, nonceFrom: .system)
        }
        return KeyWrap(
            wrappedCoupleKey: Base64.standard.encode(box), kdfSalt: Golden.wrap.kdfSalt,
            kdfParams: Golden.wrap.kdfParams)
    }

    @Test("an invite opens with its own code alone")
    func wrongCode() throws {
        let invite = InviteDocument(
            code: nil, wrap: Golden.wrap, phrase: try InvitedPhrase(Golden.phrase(), under: .random()))
        try refuses(.unwrap(.wrongCode), vault) {
            try vault.join(couple, with: invite, code: .random(), beginningAt: .strict)
        }
    }

    @Test("a document whose costs are written with much white space is stored as it came")
    func longDocument() throws {
        let long = KeyWrap(
            wrappedCoupleKey: Golden.wrap.wrappedCoupleKey, kdfSalt: Golden.wrap.kdfSalt,
            kdfParams: Golden.wrap.kdfParams + String(repeating: " ", count: 50_000))
        try vault.recover(
            couple, from: document(version: 2, wrap: long), phrase: Golden.phrase(), beginningAt: .strict)
        #expect(try vaults.open("v").couple(couple).wrap == long)
    }

    @Test("a key that lacks one of ours is refused, whether it is another key or the one before a rotation")
    func lacksKey() throws {
        let rotated = try Golden.keyset().adding(.aes256GCM)
        for keyset in [Keyset(.aes256GCM), rotated, try rotated.promoting(rotated.entries[1].id)] {
            try vault.plant(couple, keyset: keyset)
            try refuses(CoupleError.lacksKey, vault) {
                try vault.recover(
                    couple, from: document(version: 2), phrase: Golden.phrase(), beginningAt: .strict)
            }
        }
    }

    @Test("a key that has ours and more takes its place, with its wrap")
    func hasKey() throws {
        try vault.plant(couple)
        try vault.recover(couple, from: document(version: 2), phrase: Golden.phrase(), beginningAt: .strict)
        #expect(try vault.couple(couple).wrap == Golden.wrap)
        #expect(try vault.couples.count == 1)
    }

    @Test("an invite of v1 to a couple that is here brings no other key: the server could have added it")
    func bringsKeys() throws {
        try vault.plant(couple)
        let same = try CoupleKey(Golden.keyset())
        let more = try CoupleKey(Golden.keyset().adding(.aes256GCM))
        try refuses(CoupleError.bringsKeys, vault) { try join(more) }
        try join(same)
    }

    @Test("the same bytes under another prefix are another key, and a key that is disabled is none")
    func otherPrefix() throws {
        try vault.plant(couple)
        let raw = try CoupleKey(try Golden.keyset().replacingEnd([0x20, 1], by: [0x20, 3]))
        try refuses(CoupleError.lacksKey, vault) { try join(raw) }
        let wrap = try KeyWrap(raw, under: Golden.phrase())
        for attempt in [
            vault.rehearse, { try vault.recover($0, from: $1, phrase: $2, beginningAt: .strict).key },
        ] {
            try refuses(CoupleError.lacksKey, vault) {
                _ = try attempt(couple, CoupleDocument(wrap), Golden.phrase())
            }
        }
        let two = try Golden.keyset().adding(.aes256GCM)
        // The status of the key that was added is disabled.
        let id = try #require(two.entries.last).id
        try join(try CoupleKey(try two.disabling(id)))
        #expect(try vault.couple(couple).key.keyset.entries.map(\.id) == [Golden.keyset().primaryID])
    }

    private func join(
        _ key: CoupleKey, in vault: Vault? = nil, beginningAt version: EncryptionVersion = .strict
    ) throws {
        let code = InviteCode.random()
        let phrase = try InvitedPhrase(Golden.phrase(), under: code)
        let invite = InviteDocument(
            code: code, wrap: try KeyWrap(key, under: Golden.phrase()), phrase: phrase)
        try (vault ?? self.vault).join(
            couple, with: invite, code: invite.copyOfCode() ?? .random(), beginningAt: version)
    }

    @Test("a draft of a couple that there is, or of one whose key has changed meanwhile, is not stored")
    func drafts() throws {
        let fresh = try vault.draftCouple(of: couple, beginningAt: .strict)
        try vault.plant(couple)
        try refuses(CoupleError.exists, vault) { try vault.store(fresh) }
        try refuses(CoupleError.exists, vault) { _ = try vault.draftCouple(of: couple, beginningAt: .strict) }
        let rewrap = try vault.draftRewrap(of: couple)
        let two = try Golden.keyset().adding(.aes256GCM)
        try vault.plant(couple, keyset: two)
        try refuses(CoupleError.changedMeanwhile, vault) { try vault.store(rewrap) }
        let wrapOfTwo = try vault.draftRewrap(of: couple)
        try vault.plant(couple, keyset: two.promoting(two.entries[1].id))
        try refuses(CoupleError.changedMeanwhile, vault) { try vault.store(wrapOfTwo) }
        try vault.forget(couple)
        try refuses(CoupleError.missing, vault) { try vault.store(rewrap) }
        try refuses(CoupleError.missing, vault) { try vault.forget(couple) }
    }

    @Test(
        "a rewrap leaves the key, and its new phrase opens its new wrap",
        .proves("W14: a rewrap keeps the key, and a rekey replaces it"))
    func rewrap() throws {
        try vault.plant(couple)
        let draft = try vault.draftRewrap(of: couple)
        try vault.store(draft)
        let stored = try vault.couple(couple)
        #expect(stored.wrap != Golden.wrap)
        let key = try stored.wrap.unwrap(with: draft.phrase)
        let golden = try CoupleKey(Golden.keyset())
        #expect(key.hasAllKeys(of: golden) && golden.hasAllKeys(of: key))
        #expect(throws: UnwrapError.wrongPhrase) { try stored.wrap.unwrap(with: Golden.phrase()) }
    }
}
