import CloserKeys
import CloserPrimitives
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

/// All that counts of one vault for the question: what two vaults with the same view do next is the same.
struct RevealView: Hashable {
    let seat: SeatView
    var answer: AnswerView?
    /// Whether an answer of the partner has proven its author.
    var partnerProves: Bool
    /// Whether an answer without proof is refused, whatever is allowed.
    var mustProve: Bool { partnerProves || seat.couple?.state == .rekeyed }

    struct AnswerView: Hashable {
        let commitment: Int
        /// Nil once the text is not kept any more.
        let token: Int?
        let oneTimeKey: Int?
        let pin: Int?
        let pinEpoch: Int
        let pinKeyCount: Int
        let release: ReleaseView?
        let isRevealed: Bool
        let isInConflict: Bool
        let isArchived: Bool
    }

    struct ReleaseView: Hashable {
        let partner: String
        /// The token that it was released for.
        let token: Int
        /// The keys that it was released to, and the boxes in the same order.
        let keys: [Int]
        let boxes: [Int]

        func box(for key: Int) -> Int? { zip(keys, boxes).first { $0.0 == key }?.1 }
    }

    /// The key that is used for the partner; nil if there was none yet.
    var partnerKey: Int? { seat.partners.first { $0.user == seat.seat.other.user }?.key }
    var keys: [Int] { seat.couple?.keys ?? [] }
    var isPrivate: Bool { seat.couple?.state.isPrivate ?? false }

    func isPrivate(key: Int) -> Bool {
        guard let couple = seat.couple, let index = couple.keys.firstIndex(of: key) else { return false }
        return couple.origins[index].isPrivate
    }
}

extension RevealView {
    init(of vault: Vault, as seat: Seat, _ names: SearchNames, of name: AnswerName) throws {
        let id = StoredAnswer.id(name.couple, name.question, name.place)
        let (partners, answer, all) = try vault.read { (transaction) throws(VaultError) in
            (
                try transaction.partners(of: name.couple),
                try transaction.records(StoredAnswer.self, under: id).first,
                try transaction.answers(of: name.couple)
            )
        }
        self.seat = try SeatView(of: vault, as: seat, names, of: name.couple)
        partnerProves = partners.contains { $0.userID.text == seat.other.user && $0.authenticates }
        #expect(all == [answer?.overview].compactMap(\.self))
        self.answer = answer.map { AnswerView($0, names) }
    }

    /// Everything in it as numbers.
    func append(to list: inout [Int]) {
        seat.append(to: &list)
        list.append(partnerProves ? 1 : 0)
        guard let answer else { return list.append(-9) }
        list += [answer.commitment, answer.token ?? 0, answer.pin ?? 0, answer.pinEpoch, answer.pinKeyCount]
        list += [answer.isRevealed, answer.isInConflict, answer.isArchived, answer.oneTimeKey != nil].map {
            $0 ? 1 : 0
        }
        guard let release = answer.release else { return list.append(-10) }
        list += [release.partner.utf8.count, release.token] + release.keys + release.boxes
    }
}

extension RevealView.AnswerView {
    init(_ answer: StoredAnswer, _ names: SearchNames) {
        commitment = names.of(answer.commitment)
        token = answer.token.map { names.of($0) }
        oneTimeKey = answer.oneTimeKey.map { names.oneTimeKey($0) }
        pin = answer.pin.map { names.of($0.commitment) }
        (pinEpoch, pinKeyCount) = (Int(answer.pin?.epoch ?? 0), answer.pin?.provingKeyIDs.count ?? 0)
        release = answer.release.map { release in
            RevealView.ReleaseView(
                partner: release.partner.text, token: names.of("digest", release.payloadDigest),
                keys: release.boxes.map { names.of($0.key) }, boxes: release.boxes.map { names.of($0.keybox) }
            )
        }
        (isRevealed, isInConflict) = (answer.isRevealed, answer.isInConflict)
        isArchived = answer.isArchived
    }
}

extension SearchNames {
    func of(_ commitment: Commitment) -> Int { of("commitment", Array(commitment.description.utf8)) }
    func of(_ token: SealedToken) -> Int { of("digest", SHA256.hash(token.text.span)) }
    func of(_ box: KeyboxToken) -> Int { of("box", Array(box.description.utf8)) }
    func of(_ key: PublicKeyToken) -> Int { of("token", key.text) }

    func oneTimeKey(_ keyset: Keyset) -> Int {
        of("one-time key", InsecureCleartextKeyset.binary(keyset).testOnlyBytes())
    }

    /// The key that seals.
    func primary(of key: CoupleKey) -> Int? {
        key.keyset.entries.first { $0.id == key.keyset.primaryID }.map { self.key($0) }
    }
}
