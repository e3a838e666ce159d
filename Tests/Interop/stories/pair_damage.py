"""What a server may put into a pairing's documents: other bytes of a token, or another member."""

from collections.abc import Callable

import texts
from meeting import Meeting
from partner.encoding import standard, token, token_payload
from partner.person import Partner
from scene import member

Damage = Callable[[Meeting, bytes], bytes]
New = Callable[[Meeting], str]

# Of an offer, of a reply, and of a grant.
SID, OFFERED = slice(0, 16), slice(16, 48)
SHARE, TAG, BEHIND = slice(0, 32), slice(32, 64), slice(64, 64)
TAG_OF_GRANT, SEALED = slice(0, 32), slice(32, None)


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
    return lambda meeting: getattr(stranger(meeting), name)


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


def stranger(meeting: Meeting, user: str = "mallory") -> Partner:
    return Partner(meeting.draw, user)


def _with(box: bytes, part: slice, content: bytes) -> bytes:
    first, last, _ = part.indices(len(box))
    return box[:first] + content + box[last:]
