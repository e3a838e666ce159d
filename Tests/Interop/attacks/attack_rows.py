"""Every attack, what must come of it, and for what is possible the words by which docs/threat-model.md admits it.

A row has one outcome for any couple, or one for each state: serverKnown, verified, rekeyed, paired.
"""

from collections.abc import Callable
from dataclasses import dataclass

import attacks_on_answers as answers
import attacks_on_chats as chats
import attacks_on_fields as fields
import attacks_on_formats as formats
import attacks_on_keys as keys
import attacks_on_pairings as pairings
import attacks_on_partners as partners
import attacks_on_pins as pins
import attacks_on_rekeys as rekeys
from attack_stage import Stage

Cells = tuple[str, ...]


@dataclass(frozen=True)
class Attack:
    """`compat`: the outcomes in that profile, where the profile matters. `open`: by gap."""

    gap: str
    title: str
    act: Callable[[Stage], str]
    hardened: Cells
    compat: Cells = ()
    open: str = ""


MAC, FORGEABLE, TOLD = "refused: macInvalid", "refused: serverForgeable", "told: serverForgeable"
NOBODY, UNPROVEN = "refused: unauthenticated", "told: unauthenticated"
COPIED, AUTH, PLACE = "refused: commitmentMismatch", "refused: authFailed", "refused: placeMismatch"
MALFORMED, NO_KEY, OTHER_KEY = "refused: malformed", "refused: noKey", "refused: partnerKeyMismatch"
UNASKED = "refused: inputRequired, otherPartner"
CONFLICT, FAILS = "told: pinMismatch, conflict", "fails"
LATE, UNPROVEN_LATE = f"{TOLD}, then pinMismatch, conflict", f"{UNPROVEN}, then pinMismatch"


def each(first: str, second: str, third: str, fourth: str) -> Cells:
    return first, second, third, fourth


def until_private(before: str, after: str) -> Cells:
    return before, before, after, after


def always(same: str) -> Cells:
    return same, same, same, same


ATTACKS = (
    Attack("W1", "computes the key from the invite and reads a field", keys.read_field,
           until_private("possible (W1)", FAILS), open="until they are rekeyed"),
    Attack("W2", "guesses an answer from its commitment", answers.guess_commitment,
           always(FAILS), always("possible (W2)"), "the `compat` profile"),
    Attack("W3", "searches for the code of an invite", keys.search_code,
           ("possible (W3)",), open="can be searched through offline"),
    Attack("W4", "names its own key as the partner's", partners.own_key,
           each("told: warning", OTHER_KEY, OTHER_KEY, OTHER_KEY)),
    Attack("W4", "names its own key after a release to the real one", partners.own_key_later, always(OTHER_KEY)),
    Attack("W4", "names its own key, against `--require-verified`", partners.own_key_but_verified,
           each("refused: notYet", OTHER_KEY, OTHER_KEY, OTHER_KEY)),
    Attack("W4", "names its own key, against the policy `--require-paired`", partners.own_key_and_policy,
           each("refused: notYet", OTHER_KEY, OTHER_KEY, OTHER_KEY)),
    Attack("W4", "names its own keys to both before they compare", partners.compared_with_server,
           always("refused: safetyNumberMismatch")),
    Attack("W4", "names somebody else as the partner", partners.third_person,
           each("told: warning", "refused: otherPartner", "refused: otherPartner", "refused: otherPartner")),
    Attack("W4", "plants an answer to the question that it wants; the person names none", partners.planted_unasked,
           each(NO_KEY, UNASKED, UNASKED, UNASKED)),
    Attack("W4", "names its own X25519 key for a chat", formats.peer_key, always("told: note")),
    Attack("W4", "names its own key for a keybox that is no answer's", formats.box_key, always("possible (W4)"), open="keybox"),
    Attack("W5", "forges an answer without any couple key", answers.forge_as_stranger, always(MAC), always(MAC)),
    Attack("W5", "forges an answer under the key of the invite", answers.forge_with_key,
           until_private(TOLD, FORGEABLE), until_private(TOLD, FORGEABLE)),
    Attack("W5", "forges an answer without a MAC", answers.forge_without_mac,
           always(NOBODY), until_private(UNPROVEN, NOBODY)),
    Attack("W5", "forges one without a MAC when the partner has proven one", answers.strip_mac_later,
           always(NOBODY), always(NOBODY)),
    Attack("W5", "makes a keybox that is no answer's", formats.keybox_of_anybody,
           ("possible (W5)",), open="Keyboxes outside of answers and rekeys have no sender"),
    Attack("W6", "shows a false answer to get the release", pins.false_answer_first,
           always(CONFLICT), until_private(CONFLICT, "refused: pinMismatch")),
    Attack("W6", "has a forgery revealed before the true answer", pins.pinned_forgery,
           until_private(LATE, FORGEABLE), until_private(UNPROVEN_LATE, NOBODY)),
    Attack("W6", "withholds the partner's release", pins.withhold_release,
           always("told: released, not revealed"), always("told: released, not revealed")),
    Attack("W6", "spoils the partner's release", pins.spoilt_keybox, always(AUTH), always(AUTH)),
    Attack("W7", "hands out an X25519 key of low order", formats.low_order, (MALFORMED,)),
    Attack("W8", "forges for a phone that was recovered by the phrase", keys.new_phone, always(TOLD)),
    Attack("W9", "announces an older encryption version", keys.older_version, ("refused: downgrade",)),
    Attack("W9", "announces it to a phone that never saw the couple", keys.older_version_to_new_phone,
           ("refused: downgrade",)),
    Attack("W10", "reads what was sealed on the first day", keys.read_old_field,
           always("possible (W10)"), open="What was sealed before stays under the old key"),
    Attack("W11", "forges a field under the key of the invite", fields.forge,
           until_private("possible (W1)", "told: note"), open="until they are rekeyed"),
    Attack("W11", "forges one, and somebody reads `--json`", fields.forge_and_tell,
           each("told: invite", "told: invite", "told: invite", "told: exposed")),
    Attack("W11", "forges one, against `--require-private`", fields.forge_but_demanded, always("refused: serverKnown")),
    Attack("W11", "has a forged field sealed again under the new key", fields.launder,
           each("refused: serverKnown", "refused: serverKnown", FORGEABLE, FORGEABLE)),
    Attack("W11", "forges a field under a key that was retired", fields.retired, until_private("", NO_KEY)),
    Attack("W11", "forges a field without any couple key", fields.forge_as_stranger, always(AUTH)),
    Attack("W11", "swaps two fields that have no place", fields.swap, always("possible (W11)"), open="swapping where no place"),
    Attack("W11", "swaps two fields that have a place", fields.swap_placed, always(AUTH)),
    Attack("W11", "shows a field that has no place at a place", fields.unplace, always("refused: unbound")),
    Attack("W11", "replays an old field", fields.replay, always("possible (W11)"), open="an older value"),
    Attack("W11", "replays an old field at its place", fields.replay_placed, always("possible (W11)"), open="an older value"),
    Attack("W12", "reflects a chat message", formats.reflect, ("possible (W12)",), open="messages that are reflected"),
    Attack("W12", "repeats, reorders and leaves out messages", formats.replay,
           ("possible (W12)",), open="replayed, reordered or left out"),
    Attack("W12", "reflects a bound message", chats.reflect, (AUTH,)),
    Attack("W12", "exchanges the ids of two bound messages", chats.other_ids, (AUTH,)),
    Attack("W12", "shows a bound message as another author's", chats.other_authors, (AUTH,)),
    Attack("W12", "repeats a bound message", chats.repeat, ("refused: repeated",)),
    Attack("W12", "holds a bound message back", chats.hold_back, ("told: missing",)),
    Attack("W12", "puts the document of an older chat key back", chats.old_key, ("refused: olderKey",)),
    Attack("W12", "hands out a chat key of its own", chats.own_key, (MAC,)),
    Attack("W12", "shows a message of v1 to people whose apps bind theirs", chats.downgrade, ("refused: unbound",)),
    Attack("W13", "makes one field that two keys open", fields.two_plaintexts, ("possible (W13)",), open="fields, chat messages"),
    Attack("W13", "makes one answer that two keys open", fields.two_answers, (COPIED,), (COPIED,)),
    Attack("W14", "keeps the phrase of the invite over a `rewrap`", keys.old_phrase, until_private("told: note", FAILS)),
    Attack("W15", "sends other costs of Argon2id", keys.other_costs, (MALFORMED,)),
    Attack("W16", "replaces the stored document; somebody rehearses", keys.replaced_document,
           until_private("refused: keyMismatch", AUTH)),
    Attack("W16", "replaces the stored document; nobody rehearses", keys.replaced_and_recovered,
           until_private("possible (W16)", AUTH), open="you have to rehearse"),
    Attack("W17", "has the private key of a recorded chat and keybox", formats.private_key,
           ("possible (W17)",), open="all of it"),
    Attack("W17", "has the logarithm of a recorded pairing", formats.scalar_of_pairing,
           ("possible (W17)",), open="A recorded pairing falls, too"),
    Attack("W18", "shows one's own commitment as the partner's", answers.copied_commitment, always(COPIED), always(COPIED)),
    Attack("W18", "shows one's own answer as the partner's", answers.own_answer,
           always("refused: commitmentMismatch, authFailed"), always("refused: commitmentMismatch, authFailed")),
    Attack("W19", "shows an answer for another day", answers.other_day, always(PLACE), until_private(UNPROVEN, NOBODY)),
    Attack("W20", "puts a separator into an id", formats.separators, (MALFORMED,)),
    Attack("W21", "tells an answer from its length", answers.measure_length,
           always(FAILS), always("possible (W21)"), "the `compat` profile"),
    Attack("W21", "tells a field from its length", fields.measure, ("possible (W21)",), open="the length of fields"),
    Attack("W22", "writes a token in another way", formats.respelled, (MALFORMED,)),
    Attack("W22", "writes an X25519 key for a chat in another way", formats.respelled_key, (MALFORMED,)),
    Attack("Pairing", "drops, delays or repeats documents", pairings.repeat, (FAILS,)),
    Attack("Pairing", "puts its own key, name or couple into a document",
           pairings.lies("Changes one member of what it carries.", "sid", "other couple", "other inviter", "key of the inviter",
                         "X25519 of the inviter", "other acceptor", "key of the acceptor", "X25519 of the acceptor",
                         "tag of the reply", "added hold"), ("refused: codeMismatch",)),
    Attack("Pairing", "changes or exchanges the grant",
           pairings.lies("Changes the grant, or brings another one.", "tag of the grant", "what is sealed",
                         "grant of another"), (MAC,)),
    Attack("Pairing", "puts its own key in for a known partner", pairings.known_partner,
           each("refused: codeMismatch", "refused: partnerKeyChanged", "refused: partnerKeyChanged", "refused: partnerKeyChanged")),
    Attack("Pairing", "lets a stranger invite to a couple whose name they know", pairings.unnamed_couple,
           always("refused: inputRequired")),
    Attack("Pairing", "lets a stranger invite to a couple whose name they know, and the person names it", pairings.named_couple,
           each("refused: inputRequired, otherPartner", *["refused: otherPartner"] * 3)),
    Attack("Pairing", "has another user than the partner answer with the code", pairings.partner_of_another_name,
           always("refused: otherPartner")),
    Attack("Pairing", "guesses towards an acceptor who moves to an older copy of the vault", pairings.imported,
           ("refused: inviteUsed, olderCopy",)),
    Attack("Pairing", "guesses the code towards the inviter",
           pairings.lies("Has one guess at the inviter, after which the invite is closed.", "a guess", "wrong code"),
           ("refused: codeMismatch",)),
    Attack("Pairing", "guesses the code towards the acceptor", pairings.guess_at_acceptor, ("refused: inviteUsed",)),
    Attack("Pairing", "sends a device its own key or name back",
           pairings.lies("Says that the other side is the device itself.", "reflected key", "own key in the offer",
                         "reflected X25519 key", "own X25519 key in the offer", "reflected key, negated",
                         "own key in the offer, negated", "name of the inviter", "own name in the offer"),
           ("refused: partnerKeyMismatch, usage",)),
    Attack("Pairing", "sends a device its own offer back", pairings.reflect, ("refused: usage, malformed",)),
    Attack("Pairing", "moves documents between invites, couples and purposes",
           pairings.lies("Delivers documents where they do not belong.", "reply to another", "offer to another",
                         "grant to another", "purpose of the reply"),
           ("refused: noKey, authFailed, malformed",)),
    Attack("Pairing", "brings somebody else who has the code",
           pairings.lies("Brings a second reply, a second offer, and a third person.", "second reply", "second offer",
                         "a third acceptor", "a third inviter"),
           ("refused: inviteUsed, otherPartner",)),
    Attack("Pairing", "sends shares that make the secret known",
           pairings.lies("Sends a share or a key with which everybody knows the product.", "identity in the reply",
                         "identity in the offer", "bit 255 in the reply", "bit 255 in the offer", "low order in the reply",
                         "low order in the offer"), (MALFORMED,)),
    Attack("Pairing", "flips the highest bit of an X25519 key",
           pairings.lies("Writes a key as whoever follows RFC 7748 still reads it.", "X25519 bit in the reply",
                         "X25519 bit in the offer"), (MALFORMED,)),
    Attack("Pairing", "has the device fail after the verdict, and guesses again", pairings.crash, ("refused: inviteClosed",)),
    Attack("Pairing", "says that the partner has a new phone", pairings.new_phone,
           each("refused: codeMismatch, inviteClosed", *["refused: partnerKeyChanged, codeMismatch"] * 3)),
    Attack("Pairing", "shows an invite of version 1 instead", pairings.version_one, ("refused: malformed, downgrade",)),
    Attack("Pairing", "spoils one invite after the other", pairings.burn, ("told: somebody may be guessing",)),
    Attack("Pairing", "withholds the grant", pairings.withhold_grant,
           each("told: serverKnown, waiting", "told: verified, waiting", "told: verified, waiting", "told: verified, waiting")),
    Attack("Pairing", "replays the documents of the pairing before", pairings.replay,
           each("", "", "", "refused: inviteClosed, inviteUsed")),
    Attack("Rekey", "forges a rekey", rekeys.forge, each("refused: notYet", MAC, MAC, MAC)),
    Attack("Rekey", "mixes, renumbers and repeats rekeys", rekeys.mix,
           each("", *["refused: authFailed, epochMismatch"] * 3)),
    Attack("Rekey", "loses a rekey and delivers the next", rekeys.skip, each("", *["refused: epochMismatch"] * 3)),
    Attack("Rekey", "delivers a rekey of another couple of the two", rekeys.move,
           each("refused: notYet", *["refused: authFailed, notYet"] * 3)),
    Attack("Rekey", "withholds a rekey and goes on under the old key", rekeys.withhold,
           each("", "told: verified at Bob; refused: serverForgeable", "", "")),
    Attack("Other", "shows an answer to another question", answers.other_question, always(AUTH), always(AUTH)),
    Attack("Other", "shows an answer to another couple of the two", answers.other_couple, always(AUTH), always(AUTH)),
    Attack("Other", "puts another ciphertext under a commitment", answers.mixed_answers, always(AUTH), always(AUTH)),
    Attack("Other", "replays a release", answers.replayed_release,
           always("refused: authFailed, noKey"), always("refused: authFailed, noKey")),
    Attack("Other", "shows an answer that was replaced since", pins.answer_before_replace,
           always(CONFLICT), until_private(CONFLICT, "refused: pinMismatch")),
    Attack("Other", "has a forgery pinned, and revealed when the couple is private", pins.pinned_before, until_private(TOLD, "")),
    Attack("Other", "forges an answer that is opened without a vault", answers.opened_without_vault,
           ("told: unchecked",), ("told: unchecked",)),
    Attack("Other", "shows an answer of its own beside the pinned one", pins.false_alarm,
           always("refused: pinMismatch"), until_private(CONFLICT, "refused: pinMismatch")),
    Attack("Other", "shows a field of another couple of the two", fields.move, always(AUTH)),
    Attack("Other", "puts the first document back", keys.put_back_document, until_private("", AUTH)),
    Attack("Other", "sends an invite with its own key, and the old one again", keys.old_invite_again, always("refused: notYet")),
)  # fmt: skip
