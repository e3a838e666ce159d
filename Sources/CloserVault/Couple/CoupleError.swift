public import CloserKeys
package import CloserWire

/// Why a step with a couple failed. The vault holds what it held.
public enum CoupleError: Error, Equatable, Sendable {
    /// This vault lacks a couple of that name.
    case missing
    /// This vault has the couple already.
    case exists
    /// A new couple is not named `.`, `..` or `__x__`: see ``/CloserKeys/Identifier/Of/init(naming:)``.
    case reservedName
    /// The couple stores no wrapped key: there is nothing to recover.
    case notEncrypted
    /// The couple is at version 2: there is nothing to migrate.
    case strict
    /// The key lacks a key that this device holds, so accepting it would lose what that key opens.
    case lacksKey
    /// The couple is here already, and the invite has keys that this device lacks.
    case bringsKeys
    /// The key is the one that this device had before the last rekey.
    case olderKey
    /// The document has all of this device's keys, and another primary.
    case otherPrimary
    /// The couple was rekeyed: an invite would hand out a private key.
    case neverInvited
    /// This vault keeps no recovery phrase of the couple.
    case phraseNotKept
    /// Another call or process changed the couple's keys at the same time.
    case changedMeanwhile
    /// No invite was made here.
    case noInvite
    /// This device gave up the key of this id.
    case retiredKey(UInt32)
    /// Another couple of this vault has the key.
    case keyOfAnother(CoupleID)
    /// A chat needs exactly one partner whose X25519 key is known.
    case noChatKey
}

// MARK: - In words

extension CoupleError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .missing: ErrorWords(.noKey, "this vault has no such couple")
        case .exists:
            ErrorWords(
                .inputRequired, "this vault has that couple already",
                "see where it stands, or forget it first")
        case .reservedName: Identifier.FormatError.reserved.words
        case .notEncrypted:
            ErrorWords(
                .notYet, "this couple has no wrapped key yet, so there is nothing to recover",
                "one of the two makes it", typing: "closer-keys pair invite, or couple migrate")
        case .strict:
            ErrorWords(
                .downgrade, "this couple is at encryption version 2, which is never lowered",
                "if you know that its texts are in the clear, say so; if both have finished, seal your own texts",
                typing: "--migrating, field seal --migrate --trust-old")
        case .bringsKeys:
            ErrorWords(
                .notYet,
                "the invite has keys that this device does not have, and the server could have added them",
                "pair again, which brings the partner's keys",
                typing: "closer-keys pair invite, or pair accept")
        case .lacksKey:
            ErrorWords(
                .notYet, "the document lacks a key that this device holds, so nothing was changed",
                "the document is older than this device, or another couple's")
        case .olderKey: ErrorWords(.notYet, "the key in the document is older than this device's last rekey")
        case .otherPrimary:
            ErrorWords(
                .notYet, "the document has another primary key than this device",
                "it is your partner's newer key, or that of a reader of the phrase")
        case .neverInvited:
            ErrorWords(
                .notYet, "an invite would hand out the key that no server has seen",
                "bring it to another device by a recovery, with the phrase and the couple's document",
                typing: "closer-keys couple recover")
        case .phraseNotKept:
            ErrorWords(
                .noKey, "this vault keeps no recovery phrase of this couple",
                "bring the one on your paper, or make another by a rewrap",
                typing: "closer-keys couple recover --couple ID --keep-phrase DOCUMENT")
        case .changedMeanwhile: .changedMeanwhile
        case .noInvite:
            ErrorWords(
                .noKey, "no invite was made in this vault",
                "the device that made the couple has it; or make another, with a new phrase",
                typing: "closer-keys couple rewrap")
        case .retiredKey(let id):
            ErrorWords(
                .noKey, "this device gave up the key \(id) of this couple",
                "your partner's device may have it")
        case .keyOfAnother(let other):
            ErrorWords(
                .noKey, "this couple has no key of this token's id, and \(other.text) has one",
                "name the couple", typing: other.option)
        case .noChatKey:
            ErrorWords(
                .noKey, "there is no partner here with an X25519 key for a chat",
                "a pairing with a code brings it")
        }
    }
}

extension ErrorWords {
    /// One lock for everything that two processes may want at once.
    static let changedMeanwhile = ErrorWords(
        .notYet, "another process changed this couple at the same time", "run it again")
}
