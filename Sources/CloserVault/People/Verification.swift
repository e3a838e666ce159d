public import CloserKeys
package import CloserWire

/// Why a verification failed. The vault holds what it held.
public enum VerificationError: Error, Equatable, Sendable {
    /// The partner is ourselves.
    case partnerIsSelf
    /// The given partner key is this device's own.
    case keyIsOurs
    /// This device has no key of the partner, so the call must name one.
    case noKey
    /// This user is no partner: the couple has another one, who is verified.
    case partnerIs(UserID)
    /// The other device shows different digits: one of the two has another key.
    case mismatch
}

// Two people compare sixty digits, and the key that gave them counts from then on.

extension Vault {
    /// The digits for a partner with `key`, or with the key that is pinned.
    ///
    /// It reads the vault's file and computes for some milliseconds, on purpose.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`; `.verification` with `.partnerIsSelf`, `.keyIsOurs`, `.noKey` or
    ///   `.partnerIs`.
    public func safetyNumber(
        of id: CoupleID, partner userID: UserID, key: PublicKeyToken? = nil
    ) throws(VaultError) -> SafetyNumber {
        try read { (transaction) throws(VaultError) in
            _ = try transaction.couple(id)
            let key = try transaction.partners(of: id).key(of: userID, or: key)
            return try transaction.device.safetyNumber(of: id, with: userID, key)
        }
    }

    /// Remembers that the other device shows the same digits, and forgets an unverified user beside this partner. A key that
    /// differs from the pinned one replaces it. Then all of the couple's keys count as given, because the owner of the former
    /// device has them.
    ///
    /// - Throws: ``VaultError``: as ``safetyNumber(of:partner:key:)``, `.verification(.mismatch)`, and
    ///   `.pairing(.otherPartner)` if another partner is verified already.
    @discardableResult
    public func verify(
        partner userID: UserID, of id: CoupleID, key: PublicKeyToken? = nil, against theirs: SafetyNumber
    ) throws(VaultError) -> Partner {
        try change { (transaction) throws(VaultError) in
            try transaction.exposeUnpaired(id)
            let couple = try transaction.couple(id)
            var partner = try transaction.partner(userID, of: id)
            let key = try transaction.partners(of: id).key(of: userID, or: key)
            let ours = try transaction.device.safetyNumber(of: id, with: userID, key)
            guard ours == theirs else { throw .verification(.mismatch) }
            try transaction.checkIsOnlyPartner(userID, of: id)
            if let former = partner.key, !former.isSameKey(as: key) {
                try transaction.give(couple)
                partner.x25519Key = nil
            }
            try transaction.giveUpAnswers(of: id, unlessTo: userID, with: key)
            // What a code showed stays shown.
            let isShown =
                partner.isVerified && partner.key?.isSameKey(as: key) == true && partner.verifiedBy == .code
            partner.verify(key, by: isShown ? .code : .safetyNumber)
            transaction.put(partner)
            try transaction.forgetOthers(than: userID, of: id)
            return partner
        }
    }
}

extension Device {
    fileprivate func safetyNumber(
        of couple: CoupleID, with userID: UserID, _ key: PublicKeyToken
    ) throws(VaultError) -> SafetyNumber {
        guard userID != self.userID else { throw .verification(.partnerIsSelf) }
        guard !key.hasSameX(as: publicKey) else { throw .verification(.keyIsOurs) }
        return SafetyNumber(
            SafetyNumber.Party(user: self.userID, couple: couple, key: publicKey),
            SafetyNumber.Party(user: userID, couple: couple, key: key))
    }
}

// MARK: - Errors in words

extension VerificationError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .partnerIsSelf: .partnerIsSelf
        case .keyIsOurs: AnswerError.partnerKeyIsOurs.words
        case .noKey:
            ErrorWords(
                .noKey, "no key of this partner is known here",
                "check who the partner is, or give the key that their device shows", typing: "--partner-key")
        case .partnerIs(let partner):
            ErrorWords(
                .otherPartner, "the partner of this couple is \(partner.text)", "check the name that you gave"
            )
        case .mismatch:
            ErrorWords(
                .safetyNumberMismatch, "these are not the digits of the keys that are used here",
                "find out why before you trust this key: a new device, or a swapped key")
        }
    }
}

extension ErrorWords {
    /// The keys of everything that takes two people.
    static let partnerIsSelf = ErrorWords(.usage, "the partner is this device's own user")
}
