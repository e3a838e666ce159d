"""How bytes become text: base64 and tokens, each with one accepted spelling: closer-keys-formats(7), NOTATION."""

import base64
import re

from checks import Refused

TOKENS = {
    "enc:v1:": r"[A-Za-z0-9+/]+={0,2}",
    "enc:v2:": r"[A-Za-z0-9+/]+={0,2}",
    "sealed:v1:": r"[A-Za-z0-9_-]{80,}",
    "keybox:v1:": r"[A-Za-z0-9_-]{120,}",
    "pub:v1:": r"[A-Za-z0-9_-]+",
    "sha256:": r"[A-Za-z0-9_-]{43}",
    "offer:v1:": r"[A-Za-z0-9_-]{64}",
    "reply:v1:": r"[A-Za-z0-9_-]{86,}",
    "grant:v1:": r"[A-Za-z0-9_-]{120,}",
    "chat:v2:": r"[A-Za-z0-9_-]{176,}",
}


def token(kind: str, payload: bytes) -> str:
    text = kind + (standard(payload) if kind.startswith("enc:") else url(payload))
    token_payload(kind, text)
    return text


def token_payload(kind: str, text: str) -> bytes:
    if not re.fullmatch(re.escape(kind) + TOKENS[kind], text):
        raise Refused("malformed")
    rest = text.removeprefix(kind)
    return from_standard(rest) if kind.startswith("enc:") else from_url(rest)


def standard(payload: bytes) -> str:
    return base64.b64encode(payload).decode()


def url(payload: bytes) -> str:
    return base64.urlsafe_b64encode(payload).rstrip(b"=").decode()


def from_standard(text: str) -> bytes:
    """Padded, and with zeros for the bits that are left over: encoded again it is the same text."""
    try:
        payload = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        raise Refused("malformed") from None
    return _only(payload, standard(payload) == text)


def from_url(text: str) -> bytes:
    """Without padding."""
    payload = from_standard(text.translate({ord("-"): "+", ord("_"): "/"}) + "=" * (-len(text) % 4))
    return _only(payload, url(payload) == text)


def from_either(text: str) -> bytes:
    """Either alphabet, padded or not: what clients make of a wrapped key."""
    return from_url(text.rstrip("=").translate({ord("+"): "-", ord("/"): "_"}))


def length_prefixed(*items: bytes) -> bytes:
    """`LP`: each item behind its count of bytes, as a big-endian number of 32 bits."""
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)


def identifier(text: object) -> str:
    """A `|` would make the joined contexts ambiguous, so it is not among these characters."""
    if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z0-9._:@+-]{1,128}", text):
        raise Refused("malformed")
    return text


def placed(couple: str, place: str) -> bytes:
    """What a field of version 2 is tied to, the place being 1 to 512 characters of printable ASCII."""
    if not re.fullmatch(r"[ -~]{1,512}", place):
        raise Refused("malformed")
    return length_prefixed(b"closer-keys/v2/field", identifier(couple).encode(), place.encode())


def placed_payload(text: str) -> bytes:
    """Version 1 is bound to no place, so a server may have moved it."""
    if text.startswith("enc:v1:"):
        raise Refused("unbound")
    return token_payload("enc:v2:", text)


def _only(payload: bytes, is_one_spelling: bool) -> bytes:
    if not is_one_spelling:
        raise Refused("malformed")
    return payload
