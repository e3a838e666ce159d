"""CPace, CPACE-RISTR255-SHA512 (draft-irtf-cfrg-cpace-21), on libsodium. Nothing in it is a pairing's."""

import ctypes
import ctypes.util
import hashlib

ORDER = 2**252 + 27742317777372353535851937790883648493
sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))


class Refused(Exception):
    """The id of an error."""


def demand(holds, error="malformed"):
    if not holds:
        raise Refused(error)


def lv_cat(*items):
    def length(count):
        return bytes([count]) if count < 128 else bytes([count & 127 | 128]) + length(count >> 7)

    return b"".join(length(len(item)) + item for item in items)


def element(encoding):
    """libsodium before 1.0.19 takes bit 255, and every release takes the identity: both are refused here."""
    demand(len(encoding) == 32 and encoding[31] < 128 and any(encoding))
    demand(sodium.crypto_core_ristretto255_is_valid_point(encoding) == 1)
    return encoding


def scalar(content):
    demand(len(content) == 32 and 0 < int.from_bytes(content, "little") < ORDER)
    return content


def product(scalar, element):
    out = ctypes.create_string_buffer(32)
    demand(sodium.crypto_scalarmult_ristretto255(out, scalar, element) == 0)
    return out.raw


def generator(password, channel, session):
    zeros = bytes(max(0, 127 - len(lv_cat(b"CPaceRistretto255", password))))
    text = lv_cat(b"CPaceRistretto255", password, zeros, channel, session)
    out = ctypes.create_string_buffer(32)
    sodium.crypto_core_ristretto255_from_hash(out, hashlib.sha512(text).digest())
    return out.raw


def session_key(session, shared, initiator, responder):
    return hashlib.sha512(
        lv_cat(b"CPaceRistretto255_ISK", session, shared) + lv_cat(*initiator) + lv_cat(*responder)
    ).digest()
