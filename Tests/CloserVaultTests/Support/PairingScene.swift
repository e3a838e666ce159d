import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

/// Two people with a vault each, who pair step by step.
struct PairingScene {
    let vaults: MemoryVaults
    let alice: Vault
    let bob: Vault
    let couple: CoupleID

    init() throws {
        vaults = MemoryVaults()
        (alice, bob) = (try vaults.make("a"), try vaults.make("b", for: "bob"))
        couple = try CoupleID(parsing: "couple_1")
    }

    /// The same people, or others, and another couple.
    init(_ vaults: MemoryVaults, _ alice: Vault, _ bob: Vault, _ couple: CoupleID) {
        (self.vaults, self.alice, self.bob, self.couple) = (vaults, alice, bob, couple)
    }

    static let wrongCode = "000000"

    /// Opens an invite in a vault, and gives the offer and the code as they are told.
    func invite(in vault: Vault, hours: Int = 24, replacing: Bool = false) throws -> (
        offer: PairOffer, code: String
    ) {
        let draft = try vault.draftOffer(
            of: couple, beginningAt: .strict, openFor: .seconds(hours * 3600), replacing: replacing)
        try vault.store(draft)
        return (draft.offer, String(decoding: draft.code.text.testOnlyBytes(), as: UTF8.self))
    }

    /// The code as it is typed.
    static func typed(_ code: String) throws -> PairingCode {
        try PairingCode(typed: SecretBytes(testOnly: Array(code.utf8)))
    }

    /// The same with another second half, as somebody types it who knows only the first.
    static func guess(at code: String) throws -> PairingCode {
        try typed(code.prefix(6) + (code.hasSuffix(wrongCode) ? "111111" : wrongCode))
    }

    /// By a person who agrees to all that they are asked.
    func accept(
        _ invite: (offer: PairOffer, code: String), in vault: Vault, newKey: Bool = false,
        replacing: Bool = false
    ) throws -> PairReply {
        try vault.accept(
            invite.offer, code: Self.typed(invite.code), of: couple,
            consents: .testOnly(
                (.sendingKeys, true), (.newCode, true), (.newPartnerKey, newKey),
                (.replacingPartner, replacing)))
    }

    @discardableResult
    func confirm(
        _ reply: PairReply, in vault: Vault, newKey: Bool = false, replacing: Bool = false
    ) throws -> PairGrant {
        if let grant = try vault.grant(for: reply, of: couple) { return grant }
        return try vault.store(
            try vault.draftConfirmation(
                for: reply, of: couple,
                consents: .testOnly((.newPartnerKey, newKey), (.replacingPartner, replacing))))
    }

    func finish(_ grant: PairGrant, in vault: Vault) throws {
        guard try !vault.hasTaken(grant, of: couple) else { return }
        try vault.store(try vault.openGrant(grant, of: couple))
    }

    /// All four steps.
    func pair(_ inviter: Vault, with acceptor: Vault, newKey: Bool = false) throws {
        let reply = try accept(try invite(in: inviter), in: acceptor, newKey: newKey)
        try finish(try confirm(reply, in: inviter, newKey: newKey), in: acceptor)
    }

    /// What both must agree on.
    func expectPaired(epoch: UInt32, keyCount: Int, at location: SourceLocation = #_sourceLocation) throws {
        for vault in [alice, bob] {
            let state = try vault.pairingState(of: couple)
            #expect(state == .paired && state.isPrivate, sourceLocation: location)
            let paired = try vault.couple(couple)
            #expect(paired.epoch == epoch && paired.privateSince == epoch, sourceLocation: location)
            #expect(paired.key.keyset.entries.count == keyCount, sourceLocation: location)
            for entry in paired.key.keyset.entries {
                let isPrimary = entry.id == paired.key.keyset.primaryID
                #expect(
                    paired.origin(ofKey: entry.id) == (isPrimary ? .pairing : .exposed),
                    sourceLocation: location)
            }
        }
        let (ours, theirs) = (try alice.couple(couple), try bob.couple(couple))
        #expect(ours.fingerprint == theirs.fingerprint, sourceLocation: location)
        #expect(
            Set(ours.key.keyset.entries.map(\.id)) == Set(theirs.key.keyset.entries.map(\.id)),
            sourceLocation: location)
        try expectPartners(location)
    }

    private func expectPartners(_ location: SourceLocation) throws {
        for (vault, other) in [(alice, bob), (bob, alice)] {
            let partners = try vault.partners(of: couple)
            #expect(partners.count == 1, sourceLocation: location)
            guard let partner = partners.first else { return }
            let device = try other.device
            #expect(partner.userID == device.userID, sourceLocation: location)
            #expect(partner.key?.isSameKey(as: device.publicKey) == true, sourceLocation: location)
            #expect(partner.x25519Key == device.chatKey.publicKey, sourceLocation: location)
            #expect(
                partner.isVerified && partner.verifiedBy == .code && partner.authenticates,
                sourceLocation: location)
        }
    }

    /// Whether a field that one seals opens for the other, and only under a private key.
    func expectSharedFields(at location: SourceLocation = #_sourceLocation) throws {
        let token = try alice.couple(couple).fieldKey(requiring: .rekeyed).seal("dinner".utf8)
        let opened = try bob.couple(couple).fieldKey(requiring: .rekeyed).open(token)
        #expect(opened.plaintext.elementsEqual("dinner".utf8), sourceLocation: location)
    }
}

extension Keyset {
    /// The keyset whose serialization ends otherwise.
    func replacingEnd(_ end: [UInt8], by other: [UInt8]) throws -> Keyset {
        let bytes = InsecureCleartextKeyset.binary(self).testOnlyBytes()
        guard bytes.suffix(end.count) == end[...] else { throw KeysetError.malformed }
        return try InsecureCleartextKeyset.read(
            binary: SecretBytes(testOnly: bytes.dropLast(end.count) + other), .strict)
    }

    /// A keyset of the same ids whose last key has other bytes.
    func withOtherBytes() throws -> Keyset {
        let bytes = InsecureCleartextKeyset.binary(self).testOnlyBytes()
        for index in bytes.indices.reversed() {
            var other = bytes
            other[index] ^= 0x01
            let read = try? InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: other), .strict)
            guard let read, read.entries.map(\.id) == entries.map(\.id), read.kind == kind,
                read.entries.map(\.status) == entries.map(\.status)
            else { continue }
            let token = try KeysetAEAD(self).seal(Array("x".utf8), associatedData: [])
            if (try? KeysetAEAD(read).open(token, associatedData: [])) == nil { return read }
        }
        throw VaultError.damaged
    }
}

extension PairingConsents {
    /// Those with true.
    static func testOnly(_ consents: (PairingConsents, Bool)...) -> PairingConsents {
        PairingConsents(consents.filter(\.1).map(\.0))
    }
}
