"""What a server may put into a pairing's documents: other bytes of a token, or another member."""

from collections.abc import Callable

from tink.proto.ecies_aead_hkdf_pb2 import EciesAeadHkdfPublicKey

import texts
from meeting import Meeting
from partner.encoding import from_standard, standard, token, token_payload
from partner.person import Partner
from partner.sealed import public_keyset
from scene import member

Damage = Callable[[Meeting, bytes], bytes]
New = Callable[[Meeting], str]

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1

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


def x25519_of_inviter(meeting: Meeting) -> str:
    return meeting.inviter.x25519_key


def x25519_of_acceptor(meeting: Meeting) -> str:
    return meeting.acceptor.x25519_key


def negative_of_inviter(meeting: Meeting) -> str:
    return _negative(meeting.inviter.public_key)


def negative_of_acceptor(meeting: Meeting) -> str:
    return _negative(meeting.acceptor.public_key)


def _negative(public_key: str) -> str:
    """The other point with this x: whoever has one private key has both."""
    keyset = public_keyset(public_key)
    key = EciesAeadHkdfPublicKey.FromString(keyset.key[0].key_data.value)
    key.y = (P256 - int.from_bytes(key.y)).to_bytes(33)
    keyset.key[0].key_data.value = key.SerializeToString(deterministic=True)
    return token("pub:v1:", keyset.SerializeToString(deterministic=True))


def x25519_with_bit_255(kind: str) -> New:
    """The same key for whoever follows RFC 7748, with another safety number."""

    def new(meeting: Meeting) -> str:
        key = from_standard(member(getattr(meeting, kind), "x25519PublicKey"))
        return standard(key[:-1] + bytes([key[-1] | 0x80]))

    return new


def stranger(meeting: Meeting, user: str = "mallory") -> Partner:
    return Partner(meeting.draw, user)


def _with(box: bytes, part: slice, content: bytes) -> bytes:
    first, last, _ = part.indices(len(box))
    return box[:first] + content + box[last:]
