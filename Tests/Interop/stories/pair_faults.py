"""Pairings with one fault each, the refusal that each must meet, and what must hold afterwards."""

from collections.abc import Callable

import pair_damage as damage
import pair_tampering as tampering
from checks import must_say, same
from draw import Draw
from meeting import Meeting
from pair_damage import BEHIND, OFFERED, SEALED, SHARE, SID, TAG, TAG_OF_GRANT, Damage, damaged, strangers
from pair_tampering import Tamper, in_the_grant, in_the_offer, in_the_reply, to_accept
from partner.person import Partner
from people import new_names, new_person
from program import Program


def closed(meeting: Meeting) -> None:
    """The guess was used up: not even the right reply is judged any more."""
    genuine = meeting.accept(acceptor=Partner(meeting.draw, meeting.acceptor.user))
    must_say(8, "inviteClosed", lambda: meeting.confirm(genuine))


def unchanged(meeting: Meeting) -> None:
    """It cost nothing, and the two pair."""
    meeting.pair()


def taken(meeting: Meeting) -> None:
    """The reply still waits for the right grant."""
    meeting.finish()
    meeting.check_paired()


def asked(meeting: Meeting) -> None:
    """It is the partner's new phone."""
    meeting.new_key = True
    meeting.pair()


def granted(meeting: Meeting) -> None:
    same("the grant", meeting.grant, meeting.confirm())
    meeting.check_paired()


def said(change: Damage) -> Tamper:
    return in_the_offer("offer", damaged("offer", change))


def offered(change: Damage) -> Tamper:
    return to_accept("offer", damaged("offer", change))


def replied(change: Damage) -> Tamper:
    return in_the_reply("reply", damaged("reply", change))


def sealed(change: Damage) -> Tamper:
    return in_the_grant("grant", damaged("grant", change))


# Who must refuse it, the refusal, how it comes about, and what holds then.
Row = tuple[str, int, str, Tamper, Callable[[Meeting], None]]
BURNED, MALFORMED, OWN = (3, "codeMismatch"), (5, "malformed"), (1, "partnerKeyMismatch")

FAULTS: dict[str, Row] = {
    "wrong code": ("inviter", *BURNED, tampering.wrong_code, closed),
    "a guess": ("inviter", *BURNED, tampering.guess, closed),
    "sid": ("inviter", *BURNED, said(damage.flip(SID)), closed),
    "other couple": ("inviter", *BURNED, in_the_offer("coupleId", damage.other_couple), closed),
    "other inviter": ("inviter", *BURNED, in_the_offer("userId", damage.other_user), closed),
    "key of the inviter": ("inviter", *BURNED, in_the_offer("publicKey", strangers("public_key")), closed),
    "X25519 of the inviter": ("inviter", *BURNED, in_the_offer("x25519PublicKey", strangers("x25519_key")), closed),
    "other acceptor": ("inviter", *BURNED, in_the_reply("userId", damage.other_user), closed),
    "key of the acceptor": ("inviter", *BURNED, in_the_reply("publicKey", strangers("public_key")), closed),
    "X25519 of the acceptor": ("inviter", *BURNED, in_the_reply("x25519PublicKey", strangers("x25519_key")), closed),
    "tag of the reply": ("inviter", *BURNED, replied(damage.flip(TAG)), closed),
    "added hold": ("inviter", *BURNED, replied(damage.put(BEHIND, bytes(90))), closed),
    "reflected key": ("inviter", *OWN, in_the_reply("publicKey", damage.key_of_inviter), unchanged),
    "reflected X25519 key": ("inviter", *OWN, in_the_reply("x25519PublicKey", damage.x25519_of_inviter), unchanged),
    "reflected key, negated": ("inviter", *OWN, in_the_reply("publicKey", damage.negative_of_inviter), unchanged),
    "name of the inviter": ("inviter", 64, "usage", in_the_reply("userId", damage.name_of_inviter), unchanged),
    "reply to another": ("inviter", 4, "noKey", in_the_reply("lookup", damage.other_lookup), unchanged),
    "identity in the reply": ("inviter", *MALFORMED, replied(damage.put(SHARE, bytes(32))), unchanged),
    "bit 255 in the reply": ("inviter", *MALFORMED, replied(damage.bit_255(SHARE)), unchanged),
    "low order in the reply": ("inviter", *MALFORMED, in_the_reply("x25519PublicKey", damage.low_order), unchanged),
    "X25519 bit in the reply": ("inviter", *MALFORMED, in_the_reply("x25519PublicKey", damage.x25519_with_bit_255("reply")), unchanged),
    "purpose of the reply": ("inviter", *MALFORMED, in_the_reply("purpose", damage.other_purpose), unchanged),
    "phone of the acceptor": ("inviter", 8, "partnerKeyChanged", tampering.phone_of_acceptor, asked),
    "a third acceptor": ("inviter", 8, "otherPartner", tampering.third_acceptor, unchanged),
    "second reply": ("inviter", 1, "inviteUsed", tampering.second_reply, granted),
    "identity in the offer": ("acceptor", *MALFORMED, offered(damage.put(OFFERED, bytes(32))), unchanged),
    "bit 255 in the offer": ("acceptor", *MALFORMED, offered(damage.bit_255(OFFERED)), unchanged),
    "low order in the offer": ("acceptor", *MALFORMED, to_accept("x25519PublicKey", damage.low_order), unchanged),
    "X25519 bit in the offer": ("acceptor", *MALFORMED, to_accept("x25519PublicKey", damage.x25519_with_bit_255("offer")), unchanged),
    "cut offer": ("acceptor", *MALFORMED, to_accept("offer", damage.cut("offer")), unchanged),
    "offer to another": ("acceptor", 3, "authFailed", to_accept("lookup", damage.other_lookup), unchanged),
    "own name in the offer": ("acceptor", 64, "usage", to_accept("userId", damage.name_of_acceptor), unchanged),
    "own key in the offer": ("acceptor", *OWN, to_accept("publicKey", damage.key_of_acceptor), unchanged),
    "own X25519 key in the offer": ("acceptor", *OWN, to_accept("x25519PublicKey", damage.x25519_of_acceptor), unchanged),
    "own key in the offer, negated": ("acceptor", *OWN, to_accept("publicKey", damage.negative_of_acceptor), unchanged),
    "phone of the inviter": ("acceptor", 8, "partnerKeyChanged", tampering.phone_of_inviter, asked),
    "a third inviter": ("acceptor", 8, "otherPartner", tampering.third_inviter, unchanged),
    "second offer": ("acceptor", 1, "inviteUsed", tampering.second_offer, unchanged),
    "second code": ("acceptor", 1, "inviteUsed", tampering.second_code, unchanged),
    "tag of the grant": ("acceptor", 3, "macInvalid", sealed(damage.flip(TAG_OF_GRANT)), taken),
    "what is sealed": ("acceptor", 3, "macInvalid", sealed(damage.flip(SEALED)), taken),
    "grant of another": ("acceptor", 3, "macInvalid", tampering.grant_of_another, taken),
    "grant to another": ("acceptor", 4, "noKey", in_the_grant("lookup", damage.other_lookup), taken),
    "second grant": ("acceptor", 1, "inviteUsed", tampering.second_grant, granted),
}  # fmt: skip


def refused(other: str, judge: str) -> Callable[[Draw, Program], dict[str, str]]:
    def case(draw: Draw, program: Program) -> dict[str, str]:
        fault = draw.turn("fault", FAULTS)
        role, exit_status, code, attempt, afterwards = FAULTS[fault]
        sides = (judge, other) if role == "inviter" else (other, judge)
        couple, *users = new_names(draw)
        meeting = Meeting(draw, couple, *(new_person(side, draw, program, user) for side, user in zip(sides, users)))
        must_say(exit_status, code, attempt(meeting))
        afterwards(meeting)
        return {"fault": fault}

    return case
