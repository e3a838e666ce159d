public import CloserKeys
package import CloserWire

/// Why a step of a chat failed. Unless it says otherwise, the vault holds what it held.
public enum ChatError: Error, Equatable, Sendable {
    /// No key of this person is known here: pin one, or pair.
    case noKey
    /// The person had another key before. People compare digits before it counts.
    case keyChanged
    /// The two user ids have more than 127 characters together, and name no chat.
    case nameTooLong
    /// Nothing can be sealed yet: our chat key, or theirs, is missing.
    case notReady(ours: Bool)
    /// The message's number was seen before. Only the program says so: ``Vault/Chat/Received/isNew`` is the verdict.
    case repeated
    /// Its author wanted it gone by now. It counts as seen; `missing` is the gap that it shows.
    case expired(missing: [ClosedRange<UInt64>])
    /// The key is from more than two days after this clock's time.
    case fromFuture
    /// A newer chat key of theirs was taken, or another one of the same index.
    case olderKey
    /// The message is sealed to a chat key that this vault does not have: it was deleted, or was drawn by a newer copy of the vault.
    case keyGone(isOlderCopy: Bool)
    /// It is a preview, which only ``Vault/Chat/peek(_:id:from:)`` opens.
    case preview
    /// No preview of so few characters can be sealed.
    case previewTooShort
    /// The proof of a chat key fails, or it is of another chat.
    case macInvalid
    /// This person's messages are bound: one that is not may be repeated, moved, or of another author.
    case unbound
    /// The message cannot be sealed: it is too large, or no message.
    case message(ChatMessage.FormatError)
    /// The message stays closed.
    case opening(ChatChannel.OpenError)
}

extension ChatError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .noKey:
            ErrorWords(
                .noKey, "no key of this person is known here",
                "pair with them, or name the key that their device shows",
                typing: "closer-keys chat peer --peer-key KEY")
        case .keyChanged:
            ErrorWords(
                .partnerKeyMismatch, "this person had another key before",
                "ask whether they have a new device, and compare the digits",
                typing: "closer-keys chat peer --digits")
        case .nameTooLong: ErrorWords(.limit, "the two users of a chat have at most 127 characters together")
        case .notReady(let ours):
            ErrorWords(
                .notYet,
                ours ? "this device has no chat key with them yet" : "no chat key of theirs was taken yet",
                ours ? "make one, and upload it" : "take theirs, which their app uploads",
                typing: "closer-keys chat renew")
        case .repeated:
            ErrorWords(
                .repeated, "this message was received before, or was given up as missing",
                "look at it without counting it",
                typing: "--peek")
        case .expired(let missing):
            ErrorWords(.expired, "this message has expired, as its author wanted\(missing.words)")
        case .fromFuture:
            ErrorWords(
                .fromFuture, "this chat key is from more than two days ahead",
                "set the clock of both devices right")
        case .olderKey:
            ErrorWords(.olderKey, "a newer chat key of theirs is known here", "fetch the document again")
        case .keyGone(let isOlderCopy):
            ErrorWords(
                .keyGone,
                isOlderCopy
                    ? "it is sealed to a chat key that is newer than those of this vault"
                    : "it is sealed to a chat key that this vault does not have",
                isOlderCopy
                    ? "it is to another user, or a newer copy of the vault drew the key; draw another"
                    : "it is to another user, or the key was deleted; ask for the message again",
                typing: isOlderCopy ? "closer-keys chat renew --to USER --now" : nil)
        case .preview:
            ErrorWords(
                .preview, "this is a preview of a message",
                "receive the message itself; a preview can be looked at",
                typing: "--peek")
        case .previewTooShort: ErrorWords(.limit, "no preview has so few characters", "allow more")
        case .macInvalid: ErrorWords(.macInvalid, "this chat key is not theirs, or not for this chat")
        case .unbound:
            ErrorWords(
                .unbound, "this person's app binds its messages, and this one is not bound",
                "the server may have put it there", typing: "--allow-unbound")
        case .message(.malformed):
            ErrorWords(
                .malformed, "the payload is not a JSON object, or a time is too far off", typing: "--payload")
        case .message(let error): error.words
        case .opening(let error): error.words
        }
    }
}

extension [ClosedRange<UInt64>] {
    /// At the end of a message.
    fileprivate var words: String {
        map { ", and \($0.lowerBound) to \($0.upperBound) of theirs are missing" }.joined()
    }
}
