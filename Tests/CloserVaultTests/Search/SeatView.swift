import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire

@testable import CloserVault

/// All that counts of one vault: what two vaults with the same view do next is the same.
struct SeatView: Hashable {
    let seat: Seat
    var couple: CoupleView?
    var phrase: Int?
    var pairings: [PairingView] = []
    var partners: [PartnerView] = []
    var forgotten: Former?
    var hasInvite = false

    struct CoupleView: Hashable {
        let keys: [Int]
        /// Their ids, in the same order.
        let ids: [Int]
        let primary: Int
        let origins: [KeyOrigin]
        let epoch: Int
        let privateSince: Int?
        let retired: [Int]
        /// Which phrase wraps the keys.
        let wrap: Int
        let state: PairingState
    }

    struct PairingView: Hashable {
        let lookup: Int
        let isOffer: Bool
        let status: StoredPairing.Status
        let isLate: Bool
        let offer: Int
        let transcript: Int?
        let grant: Int?
    }

    struct PartnerView: Hashable {
        let user: String
        let key: Int?
        let verifiedBy: Partner.Verification?
    }

    struct Former: Hashable {
        let epoch: Int
        let retired: [Int]
    }

    /// The epoch that was reached, also by a couple that was forgotten.
    var epoch: Int { couple?.epoch ?? forgotten?.epoch ?? 0 }
    var retired: [Int] { couple?.retired ?? forgotten?.retired ?? [] }

    func status(_ lookup: Int) -> StoredPairing.Status? { pairings.first { $0.lookup == lookup }?.status }
    func live(_ status: StoredPairing.Status) -> PairingView? { pairings.first { $0.status == status } }
    /// The pairing that came about last.
    var last: PairingView? { pairings.last { [.granted, .done].contains($0.status) } }
}

// MARK: - Out of a vault

extension SeatView {
    init(of vault: Vault, as seat: Seat, _ names: SearchNames, of id: CoupleID) throws {
        let state = try? vault.pairingState(of: id)
        self = try vault.read { (transaction) throws(VaultError) -> SeatView in
            var view = SeatView(seat: seat)
            let couple = try transaction.record(Couple.self, Couple.id(id))
            if let couple, let state { view.couple = CoupleView(couple, state, names) }
            let phrase = try transaction.record(StoredPhrase.self, StoredPhrase.id(id))
            if let phrase { view.phrase = names.phrase(try phrase.phrase()) }
            view.pairings = try transaction.records(StoredPairing.self).map { pairing throws(VaultError) in
                try PairingView(pairing, names)
            }
            view.partners = try transaction.partners(of: id).map { PartnerView($0, names) }
            let former = try transaction.record(ForgottenCouple.self, ForgottenCouple.id(id))
            view.forgotten = former.map {
                Former(epoch: Int($0.epoch), retired: $0.retired.ids.sorted().map { names.id($0) })
            }
            view.hasInvite = transaction.count(.invite) > 0
            return view
        }
    }

    private init(seat: Seat) { self.seat = seat }
}

extension SeatView.CoupleView {
    init(_ couple: Couple, _ state: PairingState, _ names: SearchNames) {
        let entries = couple.key.keyset.entries
        (keys, ids) = (entries.map { names.key($0) }, entries.map { names.id($0.id) })
        let primaryID = couple.key.keyset.primaryID
        primary = entries.first { $0.id == primaryID }.map { names.key($0) } ?? 0
        origins = entries.map { couple.origin(ofKey: $0.id) }
        (epoch, privateSince) = (Int(couple.epoch), couple.privateSince.map(Int.init))
        retired = couple.retired.ids.sorted().map { names.id($0) }
        wrap = names.of("phrase", Array(couple.wrap.kdfSalt.utf8))
        self.state = state
    }
}

extension SeatView.PairingView {
    init(_ pairing: StoredPairing, _ names: SearchNames) throws(VaultError) {
        let document = try pairing.offer()
        lookup = names.of("lookup", Array(pairing.lookup.text.utf8))
        (isOffer, status) = (pairing.isOffer, pairing.status)
        isLate = pairing.end.map { $0.secondsSince1970 > SearchClock.late } ?? false
        offer = names.of("paper", document.said)
        transcript = try pairing.reply().map { names.of("T", PairingTranscript(document, $0).digest) }
        grant = try pairing.grant().map { names.of("paper", $0.said) }
    }
}

extension SeatView.PartnerView {
    init(_ partner: Partner, _ names: SearchNames) {
        user = partner.userID.text
        key = partner.key.map { names.of("token", $0.text) }
        verifiedBy = partner.isVerified ? partner.verifiedBy : nil
    }
}

extension SearchNames {
    func id(_ id: UInt32) -> Int { of("id", Array("\(id)".utf8)) }

    /// A key is its id, its prefix and its bytes.
    func key(_ entry: KeyEntry) -> Int {
        guard case .aesGCM(let key)? = entry.material else { return 0 }
        let bytes = key.withBytes { $0.withBytes { [UInt8](copying: $0) } }
        return of("key", Array("\(entry.id) \(entry.prefix) ".utf8) + bytes)
    }

    func phrase(_ phrase: borrowing RecoveryPhrase) -> Int {
        of("phrase", Array(SearchStretch.salt(phrase).utf8))
    }
}
