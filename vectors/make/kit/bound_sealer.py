"""Seals bound messages and proves chat keys (closer-keys-formats(7), CHATS), by pyca/cryptography. A case changes one value of them.

Private keys are one byte repeated, and the iv is fixed, so the files are the same every time.
"""

import hmac
from hashlib import sha256

import rfc8785
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from partner.encoding import length_prefixed, standard, url

LABEL, KEY_LABEL = b"closer-keys/v2/chat", b"closer-keys/v2/chat-key"
CHAT, IV = "alice_bob", bytes(range(0x50, 0x5C))
LONG = {"alice": 0x11, "bob": 0x22}
# The index and the byte of each chat key.
ALICE, BOB, RENEWED = (1764396000, 0x33), (1764396060, 0x44), (1765000800, 0x55)
CHAT_KEYS = {ALICE: "alice", BOB: "bob", RENEWED: "alice"}


def private(byte: int) -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(bytes([byte]) * 32)


def public(byte: int) -> bytes:
    return private(byte).public_key().public_bytes_raw()


def shared(one: int, other: int) -> bytes:
    return private(one).exchange(X25519PublicKey.from_public_bytes(public(other)))


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def padded(text: bytes) -> bytes:
    content = u32(len(text)) + text
    return content + bytes(-len(content) % 64)


class Message:
    """Where a message is, the chat keys of both people, and what it is sealed with in place of what is due."""

    def __init__(self, sender="alice", recipient="bob", ours=ALICE, theirs=BOB, id="m1", chat=CHAT, **changed) -> None:
        self.sender, self.recipient, self.ours, self.theirs = sender, recipient, ours, theirs
        self.id, self.chat, self.changed = id, chat, changed

    @property
    def long_term(self) -> bytes:
        return shared(LONG["alice"], LONG["bob"])

    @property
    def fresh(self) -> bytes:
        return shared(self.ours[1], self.theirs[1])

    @property
    def secret(self) -> bytes:
        return self.changed.get("secret", self.long_term + self.fresh)

    @property
    def info(self) -> bytes:
        """Each item may be another, or missing."""
        items = {
            "label": LABEL, "from": self.sender.encode(), "to": self.recipient.encode(), "i": u32(self.ours[0]),
            "j": u32(self.theirs[0]), "sender's key": public(self.ours[1]), "recipient's key": public(self.theirs[1]),
        } | self.changed.get("items", {})  # fmt: skip
        return self.changed.get("info", length_prefixed(*(item for item in items.values() if item is not None)))

    @property
    def data(self) -> bytes:
        names = self.chat, self.sender, self.recipient, self.id
        return self.changed.get("data", length_prefixed(LABEL, *(name.encode() for name in names)))

    @property
    def key(self) -> bytes:
        return HKDF(SHA256(), 32, self.changed.get("salt", self.chat.encode()), self.info).derive(self.secret)

    def token(self, text: bytes) -> str:
        box = AESGCM(self.key).encrypt(IV, self.changed.get("padded", padded(text)), self.data)
        i, j = self.changed.get("indices", (self.ours[0], self.theirs[0]))
        return "chat:v2:" + url(u32(i) + u32(j) + self.changed.get("sender_key", public(self.ours[1])) + IV + box)

    def place(self) -> dict:
        return {"chatId": self.chat, "from": self.sender, "to": self.recipient, "messageId": self.id}

    def case(self, text: bytes, role: str = "recipient") -> dict:
        """What its author or its reader has."""
        us, them = (self.recipient, self.sender) if role == "recipient" else (self.sender, self.recipient)
        ours, theirs = (self.theirs, self.ours) if role == "recipient" else (self.ours, self.theirs)
        keys = {
            "chatKey": named(ours), "peerPublicKey": standard(public(long_term(them))),
            "peerChatKey": f"{theirs[0]}:{standard(public(theirs[1]))}",
        }  # fmt: skip
        return {"privateKey": bytes([long_term(us)]) * 32, **keys, **self.place(), "role": role, "token": self.token(text)}

    def trace(self) -> dict:
        return {"sharedSecret": self.secret, "derivedKey": self.key, "associatedData": self.data}


def named(*keys: tuple[int, int]) -> str:
    """Chat keys of ours, with their indices."""
    return " ".join(f"{index}:{bytes([byte]).hex() * 32}" for index, byte in keys)


def long_term(name: str) -> int:
    """Of a person under another name, too."""
    return LONG.get(name, LONG["bob" if name.startswith("b") else "alice"])


def sealed_json(value: dict) -> bytes:
    return rfc8785.dumps(value)


def chat_key(sender: str, key: tuple[int, int], recipient: str | None = None, **changed) -> dict:
    """The document of a chat key, whose MAC may be of another one."""
    recipient = recipient or next(name for name in LONG if name != sender)
    index, chat = key[0], public(key[1])
    info = changed.get("info", length_prefixed(KEY_LABEL, sender.encode(), recipient.encode()))
    secret = HKDF(SHA256(), 32, changed.get("salt", b""), info).derive(shared(*LONG.values()))
    content = changed.get("content", length_prefixed(KEY_LABEL, CHAT.encode(), u32(index), chat))
    mac = hmac.digest(secret, content, sha256)
    return {"senderId": sender, "recipientId": recipient, "index": index, "publicKey": standard(chat), "mac": url(mac)}
