"""What a server does to a pairing whose code it does not know, or a stranger who hears of it, or somebody who mistypes.

Each gives the attempt that must be refused.
"""

from collections.abc import Callable

import texts
from meeting import Meeting
from partner import pairing_code, pairing_sides
from partner.encoding import standard, token, token_payload
from partner.pairing_documents import read_offer
from partner.person import Partner
from partner.transcript import Party
from scene import changed, member

Attempt = Callable[[], object]
Damage = Callable[[Meeting, bytes], bytes]
New = Callable[[Meeting], str]
Tamper = Callable[[Meeting], Attempt]

# Of an offer, of a reply, and of a grant.
SID, OFFERED = slice(0, 16), slice(16, 48)
SHARE, TAG, BEHIND = slice(0, 32), slice(32, 64), slice(64, 64)
TAG_OF_GRANT, SEALED = slice(0, 32), slice(32, None)


def wrong_code(meeting: Meeting) -> Attempt:
    """A slip in the half that is secret."""
    reply = meeting.accept(typed=_slipped(meeting))
    return lambda: meeting.confirm(reply)


def guess(meeting: Meeting) -> Attempt:
    """The server answers the offer itself, in the acceptor's name."""
    code = pairing_code.PairingCode(meeting.code.lookup, pairing_code.new_code(meeting.draw).secret)
    guessed = pairing_sides.answering(read_offer(meeting.offer), code, _party(_stranger(meeting)), None)
    return lambda: meeting.confirm(changed("{}", **guessed.document()))


def in_the_offer(name: str, new: New) -> Tamper:
    """What the acceptor was told is not what the inviter said."""

    def tamper(meeting: Meeting) -> Attempt:
        reply = meeting.accept(changed(meeting.offer, **{name: new(meeting)}))
        return lambda: meeting.confirm(reply)

    return tamper


def in_the_reply(name: str, new: New) -> Tamper:
    def tamper(meeting: Meeting) -> Attempt:
        reply = changed(meeting.reply, **{name: new(meeting)})
        return lambda: meeting.confirm(reply)

    return tamper


def second_reply(meeting: Meeting) -> Attempt:
    """Somebody else has the code, too, and comes too late."""
    other = _stranger(meeting)
    meeting.finish()
    reply = meeting.accept(acceptor=other)
    return lambda: meeting.confirm(reply)


def to_accept(name: str, new: New) -> Tamper:
    """An offer that the acceptor must refuse at once."""

    def tamper(meeting: Meeting) -> Attempt:
        offer = changed(meeting.offer, **{name: new(meeting)})
        return lambda: meeting.accept(offer)

    return tamper


def second_offer(meeting: Meeting) -> Attempt:
    """Of somebody who found L; the acceptor, who answered the first, must not guess for them."""
    code = pairing_code.PairingCode(meeting.code.lookup, pairing_code.new_code(meeting.draw).secret)
    made = pairing_sides.inviting(code, meeting.couple, _party(_stranger(meeting, meeting.inviter.user)))
    meeting.accept()
    return lambda: meeting.accept(changed("{}", **made.document()))


def second_code(meeting: Meeting) -> Attempt:
    meeting.accept()
    return lambda: meeting.accept(typed=_slipped(meeting))


def in_the_grant(name: str, new: New) -> Tamper:
    def tamper(meeting: Meeting) -> Attempt:
        grant = changed(meeting.grant, **{name: new(meeting)})
        return lambda: meeting.finish(grant)

    return tamper


def grant_of_another(meeting: Meeting) -> Attempt:
    """What a stranger granted to somebody else, under our lookup."""
    meeting.confirm()
    other = Meeting(meeting.draw, meeting.couple, _stranger(meeting), Partner(meeting.draw, "carol"))
    grant = changed(other.grant, lookup=meeting.code.lookup)
    return lambda: meeting.finish(grant)


def second_grant(meeting: Meeting) -> Attempt:
    meeting.finish()
    return in_the_grant("grant", damaged("grant", flip(TAG_OF_GRANT)))(meeting)


def phone_of_acceptor(meeting: Meeting) -> Attempt:
    """Another key than the one that was paired with; nobody has asked whose it is."""
    meeting.pair()
    meeting.acceptor = meeting.acceptor.another()
    meeting.renew()
    return lambda: meeting.confirm()


def phone_of_inviter(meeting: Meeting) -> Attempt:
    meeting.pair()
    meeting.inviter = meeting.inviter.another()
    meeting.renew()
    return lambda: meeting.accept()


def third_acceptor(meeting: Meeting) -> Attempt:
    """A stranger who has the code, to a couple that has two people."""
    meeting.pair()
    meeting.renew()
    reply = meeting.accept(acceptor=_stranger(meeting))
    return lambda: meeting.confirm(reply)


def third_inviter(meeting: Meeting) -> Attempt:
    meeting.pair()
    meeting.renew()
    other = Meeting(meeting.draw, meeting.couple, _stranger(meeting), meeting.acceptor)
    return lambda: other.accept()


def damaged(kind: str, damage: Damage) -> New:
    """The meeting's token of that kind, with other bytes in it."""

    def new(meeting: Meeting) -> str:
        name = f"{kind}:v1:"
        return token(name, damage(meeting, token_payload(name, member(getattr(meeting, kind), kind))))

    return new


def flip(part: slice) -> Damage:
    return lambda meeting, box: _with(box, part, texts.flipped(meeting.draw, box[part]))


def put(part: slice, content: bytes) -> Damage:
    return lambda meeting, box: _with(box, part, content)


def bit_255(part: slice) -> Damage:
    """The encoding that a reader gets who looks at 255 bits only."""
    return lambda meeting, box: _with(box, part, box[part][:-1] + bytes([box[part][-1] | 0x80]))


def cut(kind: str) -> New:
    return lambda meeting: member(getattr(meeting, kind), kind)[:-1]


def other_lookup(meeting: Meeting) -> str:
    return "".join("1" if letter == "0" else "0" for letter in meeting.code.lookup)


def strangers(name: str) -> New:
    """`public_key` or `x25519_key`."""
    return lambda meeting: getattr(_stranger(meeting), name)


def name_of_inviter(meeting: Meeting) -> str:
    return meeting.inviter.user


def name_of_acceptor(meeting: Meeting) -> str:
    return meeting.acceptor.user


def key_of_inviter(meeting: Meeting) -> str:
    return meeting.inviter.public_key


def key_of_acceptor(meeting: Meeting) -> str:
    return meeting.acceptor.public_key


def other_purpose(meeting: Meeting) -> str:
    return "device"


def other_user(meeting: Meeting) -> str:
    return "mallory"


def other_couple(meeting: Meeting) -> str:
    return texts.other(meeting.draw, meeting.couple)


def low_order(meeting: Meeting) -> str:
    return standard(meeting.draw.choice((bytes(32), (1).to_bytes(32, "little"))))


def _stranger(meeting: Meeting, user: str = "mallory") -> Partner:
    return Partner(meeting.draw, user)


def _party(person: Partner) -> Party:
    return Party(person.user, person.public_key, person.x25519.public)


def _slipped(meeting: Meeting) -> str:
    secret = meeting.code.secret
    return str(pairing_code.PairingCode(meeting.code.lookup, ("0" if secret[0] != "0" else "1") + secret[1:]))


def _with(box: bytes, part: slice, content: bytes) -> bytes:
    first, last, _ = part.indices(len(box))
    return box[:first] + content + box[last:]
