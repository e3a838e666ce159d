"""CPace, suite CPACE-RISTR255-SHA512, with an initiator and a responder: draft-irtf-cfrg-cpace-21, and nothing of ours.

The group is ge25519's, in pure Python, so that a share is compared with another implementation than libsodium's.
"""

import os
from hashlib import sha512

from ge25519 import ge25519_p3

from checks import Refused
from partner.wrap import RandomBytes

NAME, BLOCK = b"CPaceRistretto255", 128
ORDER = 2**252 + 27742317777372353535851937790883648493
PRIME = 2**255 - 19

Side = tuple[bytes, bytes]  # a share, and what its maker says besides


def generator(password: bytes, channel: bytes, sid: bytes) -> bytes:
    return element(sha512(generator_string(password, channel, sid)).digest())


def generator_string(password: bytes, channel: bytes, sid: bytes) -> bytes:
    """The zeros fill up the first block of SHA-512; their own length takes one of its bytes."""
    head = lv_cat(NAME, password)
    return head + lv_cat(bytes(max(0, BLOCK - 1 - len(head))), channel, sid)


def element(uniform: bytes) -> bytes:
    return ge25519_p3.from_hash_ristretto255(uniform)


def new_scalar(random: RandomBytes = os.urandom) -> int:
    return 1 + int.from_bytes(random(64), "little") % (ORDER - 1)


def multiplied(encoding: bytes, scalar: int) -> bytes:
    """Of an element that was checked before."""
    point = ge25519_p3.from_bytes_ristretto255(encoding)
    return point.scalar_mult(scalar.to_bytes(32, "little")).to_bytes_ristretto255()


def checked_share(encoding: bytes) -> bytes:
    """A canonical encoding is less than the prime, and even; the identity is zero."""
    number = int.from_bytes(encoding, "little")
    if not 0 < number < PRIME or number % 2 or not ge25519_p3.from_bytes_ristretto255(encoding):
        raise Refused("malformed")
    return encoding


def session_key(sid: bytes, product: bytes, initiator: Side, responder: Side) -> bytes:
    return sha512(session_string(sid, product, initiator, responder)).digest()


def session_string(sid: bytes, product: bytes, initiator: Side, responder: Side) -> bytes:
    return lv_cat(NAME + b"_ISK", sid, product) + lv_cat(*initiator) + lv_cat(*responder)


def lv_cat(*items: bytes) -> bytes:
    return b"".join(_leb128(len(item)) + item for item in items)


def _leb128(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _leb128(rest) if rest else bytes([low])
