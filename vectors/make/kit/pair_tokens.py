"""What stands in the documents of a pairing (closer-keys-pairing(7), DOCUMENTS): tokens, public keys, the first half of a code."""

import re

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from checks import Refused
from kit import cpace
from partner.encoding import from_standard, from_url, url

PATTERNS = {"offer": "{64}", "reply": "{86,}", "grant": "{120,}"}
MAXIMUM = 16 * 1024
BOX = 12 + 16


def text(kind: str, content: bytes) -> str:
    return f"{kind}:v1:{url(content)}"


def offer(token: str) -> tuple[bytes, bytes]:
    """The session and the share."""
    content = _payload("offer", token)
    return content[:16], _share(content[16:])


def reply(token: str) -> tuple[bytes, bytes, bytes]:
    """The share, the tag, and what the acceptor holds, sealed."""
    content = _payload("reply", token)
    share, tag, hold = content[:32], content[32:64], content[64:]
    _demand(len(hold) == 0 or len(hold) >= BOX)
    return _share(share), tag, hold


def grant(token: str) -> tuple[bytes, bytes]:
    """The tag, and what is sealed."""
    content = _payload("grant", token)
    return content[:32], content[32:]


def is_lookup(symbols: str) -> bool:
    return re.fullmatch("[0-9A-HJKMNP-TV-Z]{6}", symbols) is not None


def x25519_key(spelled: str) -> bytes:
    content = from_standard(spelled)
    try:
        X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(content))
    except ValueError:  # not 32 bytes, or of low order
        raise Refused("malformed") from None
    _demand(int.from_bytes(content, "little") < cpace.P)
    return content


def _payload(kind: str, token: str) -> bytes:
    match = re.fullmatch(f"{kind}:v1:([A-Za-z0-9_-]{PATTERNS[kind]})", token)
    _demand(match)
    content = from_url(match[1])
    _demand(len(content) <= MAXIMUM)
    return content


def _share(encoding: bytes) -> bytes:
    _demand(cpace.is_element(encoding))
    return encoding


def _demand(holds: object) -> None:
    if not holds:
        raise Refused("malformed")
