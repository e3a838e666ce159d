"""A vault's key on its way to another device of its user: closer-keys-formats(7), LINK."""

import json
import re
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from checks import Refused
from partner.canonical import parsed_object
from partner.encoding import from_url, identifier, length_prefixed, url
from partner.habits import CODE_LETTERS
from partner.pairing_code import DROPPED, READ_AS

DOMAIN, LABEL, PREFIX = b"closer-keys/link/1", b"link", "link:v1:"
SYMBOLS = 28


@dataclass(frozen=True)
class Link:
    vault: bytes
    user: str
    key: bytes
    changes: int
    digest: bytes

    @property
    def content(self) -> bytes:
        return length_prefixed(LABEL, self.key, self.changes.to_bytes(8, "big"), self.digest)


def document(link: Link, code: str, iv: bytes, content: bytes | None = None) -> str:
    """Compact, as closer-keys writes it. `content` takes the place of what belongs into the box."""
    box = _cipher(code, link.vault).encrypt(iv, link.content if content is None else content, _data(link.vault, link.user))
    members = {"vault": link.vault.hex(), "userId": link.user, "link": PREFIX + url(iv + box)}
    return json.dumps(members, separators=(",", ":"))


def opened(text: str, typed: str) -> Link:
    members = parsed_object(text.encode())
    vault, user, token = (members.get(name) for name in ("vault", "userId", "link"))
    if not isinstance(vault, str) or not re.fullmatch("[0-9a-f]{32}", vault) or not isinstance(token, str):
        raise Refused("malformed")
    if not re.fullmatch(PREFIX + "[A-Za-z0-9_-]{160}", token):
        raise Refused("malformed")
    box, vault = from_url(token.removeprefix(PREFIX)), bytes.fromhex(vault)
    try:
        content = _cipher(read(typed), vault).decrypt(box[:12], box[12:], _data(vault, identifier(user)))
    except InvalidTag:
        raise Refused("authFailed") from None
    link = Link(vault, user, content[12:44], int.from_bytes(content[48:56], "big"), content[60:])
    if content != link.content or not 1 <= link.changes < 2**53:
        raise Refused("malformed")
    return link


def read(typed: str) -> str:
    """The symbols of a code as a person types it."""
    symbols = re.sub("[a-z]", lambda letter: letter[0].upper(), DROPPED.sub("", typed)).translate(READ_AS)
    if len(symbols) != SYMBOLS or not set(symbols) <= set(CODE_LETTERS):
        raise Refused("malformed")
    return symbols


def shown(code: str) -> str:
    return "-".join(code[start : start + 4] for start in range(0, SYMBOLS, 4))


def _cipher(code: str, vault: bytes) -> AESGCM:
    key = HKDF(hashes.SHA256(), 32, salt=DOMAIN, info=length_prefixed(LABEL, vault)).derive(code.encode())
    return AESGCM(key)


def _data(vault: bytes, user: str) -> bytes:
    return length_prefixed(DOMAIN, vault, user.encode())
