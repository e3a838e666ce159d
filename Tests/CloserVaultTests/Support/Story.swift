import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport

@testable import CloserVault

/// Alice and Bob with a vault each and one couple, before either has answered.
struct Story {
    let vaults: MemoryVaults
    let alice: Vault
    let bob: Vault
    let couple: CoupleID
    let question: QuestionID
    let place: AnswerPlace

    init() throws {
        vaults = MemoryVaults()
        (alice, bob) = (try vaults.make("a"), try vaults.make("b", for: "bob"))
        (couple, question) = (try CoupleID(parsing: "couple_1"), try QuestionID(parsing: "q_42"))
        place = try AnswerPlace(parsing: "daily:2026-11-20")
        try alice.plant(couple)
        try bob.plant(couple)
    }

    var name: AnswerName { AnswerName(couple: couple, question: question, place: place) }

    /// Seals in a vault and gives the document as the other one gets it.
    @discardableResult
    func seal(
        _ text: String = "{\"answer\":\"an answer that is long enough\"}", in vault: Vault,
        profile: AnswerProfile = .hardened, place: AnswerPlace? = nil, question: QuestionID? = nil,
        replacing: Bool = false
    ) throws -> PartnerAnswer {
        let stored = try vault.seal(
            answer: text.utf8, to: question ?? self.question, at: place ?? self.place, of: couple,
            profile: profile, replacing: replacing)
        return PartnerAnswer(of: try vault.device.userID, try stored.document)
    }

    /// What Bob hands to Alice for his answer, given hers.
    func releaseOfBob(facing ours: PartnerAnswer) throws -> ReleaseKeyDocument {
        try bob.release(name, to: ours, key: alice.device.publicKey).document
    }

    /// A partner's answer with one thing changed.
    func changed(
        _ answer: PartnerAnswer, partner: String? = nil, userID: String? = nil, question: String? = nil,
        token: SealedToken? = nil, commitment: Commitment? = nil
    ) throws -> PartnerAnswer {
        let context = try AnswerContext(
            couple: couple,
            question: question.map { try QuestionID(parsing: $0) } ?? answer.document.questionID,
            author: userID.map { try UserID(parsing: $0) } ?? answer.document.userID)
        let sealed = SealedAnswer(
            token: token ?? answer.document.token, commitment: commitment ?? answer.document.commitment,
            oneTimeKey: Keyset(.aes256GCM))
        return PartnerAnswer(
            of: try partner.map { try UserID(parsing: $0) } ?? answer.partner,
            AnswerDocument(sealed, of: context, isInThread: false))
    }

    /// What a stranger who has every public key and the one-time key he draws can make: no couple key.
    func forged(_ payload: [UInt8], of author: String = "bob", key: Keyset = Keyset(.aes256GCM)) throws -> (
        answer: PartnerAnswer, keybox: ReleaseKeyDocument
    ) {
        let context = try AnswerContext(
            couple: couple, question: question, author: UserID(parsing: author))
        let token = try SealedToken(
            KeysetAEAD(key).seal(payload, associatedData: KeyContext.sealedAnswer(context).bytes))
        let sealed = SealedAnswer(token: token, commitment: Commitment(to: payload), oneTimeKey: key)
        let alice = try self.alice.device
        let box = sealed.release(of: context, to: alice.userID, key: alice.publicKey)
        return (
            PartnerAnswer(of: context.author, AnswerDocument(sealed, of: context, isInThread: false)),
            ReleaseKeyDocument(box, from: context.author, to: alice.userID)
        )
    }
}

extension Vault {
    /// Takes a partner's rekey, and gives the couple as it is then.
    @discardableResult
    func accept(
        _ document: RekeyDocument, of id: CoupleID, from user: UserID, allowingGap: Bool = false
    ) throws(VaultError) -> Couple {
        if let draft = try draftAcceptance(for: document, of: id, partner: user, allowingGap: allowingGap) {
            try store(draft)
        }
        return try couple(id)
    }
}

extension Commitment {
    /// To something that nobody wrote.
    static let testOnlyOther = Commitment(to: Array("something else".utf8))
}
