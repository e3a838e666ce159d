"""Bound messages of a chat, and chat keys (closer-keys-formats(7), CHATS), by pyca/cryptography and rfc8785."""

import hmac
import json
import os
from dataclasses import dataclass, replace
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from checks import Refused
from partner.canonical import canonical
from partner.encoding import from_standard, from_url, identifier, length_prefixed, token, token_payload

LABEL, KEY_LABEL = b"closer-keys/v2/chat", b"closer-keys/v2/chat-key"
BLOCK, MAXIMUM, LIMIT, DEPTH = 64, 64 << 10, 2**53, 16
PRIME = 2**255 - 19
REFERRING = ("reaction", "edit", "delete")
RANGES, GAP = 64, 1_000_000


def public_key(content: bytes) -> bytes:
    """A number below the prime, and not of low order, which pyca refuses to agree with."""
    shared(X25519PrivateKey.generate(), content)
    _demand(int.from_bytes(content, "little") < PRIME)
    return content


def shared(ours: X25519PrivateKey, theirs: bytes) -> bytes:
    try:
        return ours.exchange(X25519PublicKey.from_public_bytes(theirs))
    except ValueError:  # not 32 bytes, or of low order
        raise Refused("malformed") from None


@dataclass(frozen=True)
class Token:
    """What a token says in the clear, and its box."""

    i: int
    j: int
    sender_key: bytes
    box: bytes

    @staticmethod
    def read(text: str) -> "Token":
        content = token_payload("chat:v2:", text)
        i, j = (int.from_bytes(content[at : at + 4], "big") for at in (0, 4))
        _demand(i > 0 and j > 0)
        return Token(i, j, public_key(content[8:40]), content[40:])

    def written(self) -> str:
        return token("chat:v2:", _u32(self.i) + _u32(self.j) + self.sender_key + self.box)


@dataclass(frozen=True)
class Direction:
    """Where a message is found: its chat, its author, its reader."""

    chat: str
    sender: str
    recipient: str


@dataclass(frozen=True)
class ChatKey:
    """A chat key's index, and its private half where it is ours."""

    index: int
    public: bytes
    private: X25519PrivateKey | None = None

    @staticmethod
    def ours(index: int, private: bytes) -> "ChatKey":
        key = X25519PrivateKey.from_private_bytes(private)
        return ChatKey(index, key.public_key().public_bytes_raw(), key)


class Channel:
    """One direction under one chat key of each person, of whom one is us."""

    def __init__(self, where: Direction, long_term: bytes, sender: ChatKey, recipient: ChatKey) -> None:
        """`long_term` is what the long-term keys share."""
        self.names = [identifier(name).encode() for name in (where.chat, where.sender, where.recipient)]
        self.sender, self.recipient = sender, recipient
        ours, theirs = (sender, recipient) if sender.private else (recipient, sender)
        chat, *people = self.names
        indices = _u32(sender.index), _u32(recipient.index)
        info = length_prefixed(LABEL, *people, *indices, sender.public, recipient.public)
        secret = long_term + shared(ours.private, theirs.public)
        self.cipher = AESGCM(HKDF(SHA256(), 32, chat, info).derive(secret))

    def seal(self, text: bytes, message: str) -> str:
        iv, padded = os.urandom(12), _u32(len(text)) + text
        box = self.cipher.encrypt(iv, padded + bytes(-len(padded) % BLOCK), self._data(message))
        return Token(self.sender.index, self.recipient.index, self.sender.public, iv + box).written()

    def open(self, found: Token, message: str) -> tuple[bytes, dict]:
        """The JSON, as it was sealed and as it reads."""
        named = found.i, found.j, found.sender_key
        if named != (self.sender.index, self.recipient.index, self.sender.public):
            raise Refused("authFailed")
        try:
            padded = self.cipher.decrypt(found.box[:12], found.box[12:], self._data(message))
        except InvalidTag:
            raise Refused("authFailed") from None
        text = _unpadded(padded)
        return text, parsed(text)

    def _data(self, message: str) -> bytes:
        return length_prefixed(LABEL, *self.names, identifier(message).encode())


def _unpadded(padded: bytes) -> bytes:
    count, rest = int.from_bytes(padded[:4], "big"), padded[4:]
    padding = rest[count:]
    _demand(len(padded) % BLOCK == 0 and count <= len(rest) and len(padding) < BLOCK and not any(padding))
    if count > MAXIMUM:
        raise Refused("limit")
    return rest[:count]


def parsed(text: bytes) -> dict:
    """Its canonical form is the text itself, so a name that comes twice, white space and the like are refused."""
    try:
        value = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Refused("malformed") from None
    _demand(isinstance(value, dict) and canonical(value) == text)
    _demand(value.keys() >= {"kind", "n", "at", "body"})
    for name, member in value.items():
        _demand(name in MEMBERS and MEMBERS[name](member))
    _demand(value["n"] > 0 and (value["kind"] not in REFERRING or "replyTo" in value))
    return value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LIMIT


def _is_identifier(value: object) -> bool:
    try:
        return bool(identifier(value))
    except Refused:
        return False


def _depth(value: object) -> int:
    if not isinstance(value, (dict, list)):
        return 0
    return 1 + max(map(_depth, value.values() if isinstance(value, dict) else value), default=0)


MEMBERS = {
    "kind": _is_identifier,
    "n": _is_whole,
    "at": _is_whole,
    "body": lambda value: isinstance(value, str),
    "seen": _is_whole,
    "replyTo": _is_identifier,
    "expires": _is_whole,
    "cut": lambda value: value is True,
    "payload": lambda value: isinstance(value, dict) and _depth(value) <= DEPTH,
}


# Chat keys.


def opening_key(keys: list[ChatKey], found: Token) -> ChatKey:
    """Ours to which a message was sealed. A message with a key of ours as its author's is of nobody else."""
    if any(key.public == found.sender_key for key in keys):
        raise Refused("authFailed")
    for key in keys:
        if key.index == found.j:
            return key
    raise Refused("noKey")


def proven_key(text: str, where: Direction, long_term: bytes) -> ChatKey:
    """The author's chat key, as a document brings it."""
    document = _object(text)
    names = [document.get(name) for name in ("senderId", "recipientId")]
    index, public, mac = (document.get(name) for name in ("index", "publicKey", "mac"))
    _demand(all(_is_identifier(name) for name in names))
    _demand(_is_whole(index) and 0 < index < 2**32 and isinstance(public, str) and isinstance(mac, str))
    key, tag = ChatKey(index, public_key(from_standard(public))), from_url(mac)
    _demand(len(tag) == 32)
    info = length_prefixed(KEY_LABEL, *(name.encode() for name in names))
    secret = HKDF(SHA256(), 32, b"", info).derive(long_term)
    content = length_prefixed(KEY_LABEL, identifier(where.chat).encode(), _u32(index), key.public)
    if names != [where.sender, where.recipient] or not hmac.compare_digest(hmac.digest(secret, content, sha256), tag):
        raise Refused("macInvalid")
    return key


def _object(text: str) -> dict:
    def members(pairs: list) -> dict:
        _demand(len(dict(pairs)) == len(pairs))
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=members)
    except ValueError:
        raise Refused("malformed") from None
    _demand(isinstance(value, dict))
    return value


# What a reader knows.


@dataclass(frozen=True)
class Reading:
    """The other's numbers that were seen, as ranges in order, and the highest of ours that the other has."""

    seen: tuple[tuple[int, int], ...] = ()
    seen_by_them: int = 0

    @staticmethod
    def read(text: str) -> "Reading":
        state = json.loads(text)
        seen = tuple((first, last) for first, last in state["seen"])
        ends = [end for one in seen for end in one]
        apart = all(one[1] + 1 < other[0] for one, other in zip(seen, seen[1:]))
        _demand(len(seen) <= RANGES and apart and all(0 < end < LIMIT for end in ends))
        _demand(all(first <= last for first, last in seen))
        return Reading(seen, state["seenByThem"])

    def written(self) -> str:
        return canonical({"seen": [list(one) for one in self.seen], "seenByThem": self.seen_by_them}).decode()

    def noted(self, message: dict, now: int) -> tuple["Reading", dict]:
        """What is known after a message, and what the message is."""
        if "cut" in message:
            raise Refused("notYet")
        number, highest = message["n"], max((last for _, last in self.seen), default=0)
        gap = [highest + 1, number - 1]
        told = number > highest + 1 and gap[1] - gap[0] < GAP
        verdict = {
            "new": not any(first <= number <= last for first, last in self.seen),
            "missing": [gap] if told else [],
            "expired": message.get("expires", LIMIT) <= now * 1000,
        }
        known = max(self.seen_by_them, message.get("seen", 0))
        return replace(self, seen=self._with(number), seen_by_them=known), verdict

    def _with(self, number: int) -> tuple[tuple[int, int], ...]:
        joined: list[tuple[int, int]] = []
        for first, last in sorted([*self.seen, (number, number)]):
            if joined and first <= joined[-1][1] + 1:
                first, last = joined[-1][0], max(joined.pop()[1], last)
            joined.append((first, last))
        if len(joined) > RANGES:  # the lowest gap counts as seen
            joined[:2] = [(joined[0][0], joined[1][1])]
        return tuple(joined)


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _demand(holds: object) -> None:
    if not holds:
        raise Refused("malformed")
