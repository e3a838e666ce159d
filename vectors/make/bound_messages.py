"""Makes chat.json: bound messages and chat keys (closer-keys-formats(7), CHATS, Bound messages and Chat keys), by pyca/cryptography.

Private keys are one byte repeated, so the file is the same every time. Each refusal has one fault.
"""

import base64
import hmac
import json
from collections.abc import Iterator
from hashlib import sha256

import rfc8785
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from kit import FOLDER

from partner.encoding import length_prefixed, standard, url

LABEL = b"closer-keys/v2/chat"
CHAT, IV = "alice_bob", bytes(range(0x50, 0x5C))
LONG = {"alice": 0x11, "bob": 0x22}
# The owner and the byte of each chat key, by its index.
CHAT_KEYS = {1764396000: ("alice", 0x33), 1764396060: ("bob", 0x44), 1765000800: ("alice", 0x55)}
FIRST = {"at": 1764396000000, "body": "run at 7?", "kind": "text", "n": 1}
SECOND = {
    "at": 1765000800001, "body": "🏃", "kind": "reaction", "n": 2, "payload": {"a": "é", "z": [1, True, None]}, "replyTo": "m1", "seen": 1,
}  # fmt: skip


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
    """What a case says, and what it was sealed with, of which a fault changes one thing."""

    def __init__(self, sender="alice", recipient="bob", i=1764396000, j=1764396060, id="m1", **changed) -> None:
        self.sender, self.recipient, self.i, self.j, self.id = sender, recipient, i, j, id
        self.changed = changed

    def get(self, name: str, otherwise):
        return self.changed.get(name, otherwise)

    @property
    def secrets(self) -> tuple[bytes, bytes]:
        return shared(*(LONG[name] for name in (self.sender, self.recipient))), shared(CHAT_KEYS[self.i][1], CHAT_KEYS[self.j][1])

    def key(self) -> bytes:
        keys = public(CHAT_KEYS[self.i][1]), public(CHAT_KEYS[self.j][1])
        names = [self.get(name, getattr(self, name)).encode() for name in ("sender", "recipient")]
        info = length_prefixed(self.get("label", LABEL), *names, u32(self.get("info_i", self.i)), u32(self.get("info_j", self.j)), *keys)
        secret = b"".join(self.secrets[: self.get("secrets", 2)])
        return HKDF(SHA256(), 32, self.get("salt", CHAT).encode(), self.get("info", info)).derive(secret)

    def token(self, json_text: bytes) -> str:
        names = self.get("data", (CHAT, self.sender, self.recipient, self.id))
        data = length_prefixed(LABEL, *(name.encode() for name in names))
        box = AESGCM(self.key()).encrypt(IV, self.get("padded", padded(json_text)), data)
        head = u32(self.get("head_i", self.i)) + u32(self.get("head_j", self.j)) + self.get("head_key", public(CHAT_KEYS[self.i][1]))
        return "chat:v2:" + url(head + IV + box)

    def members(self, json_text: bytes) -> dict:
        named = {"from": self.sender, "to": self.recipient, "i": self.i, "j": self.j, "messageId": self.id}
        return named | {"token": self.token(json_text)}


def golden(message: Message, value: dict) -> dict:
    text = rfc8785.dumps(value)
    traced = {"json": text.decode(), "D": message.secrets[1].hex(), "key": message.key().hex()}
    return message.members(text) | traced


def chat_key(sender: str, index: int) -> dict:
    recipient = next(name for name in LONG if name != sender)
    label = b"closer-keys/v2/chat-key"
    info = length_prefixed(label, sender.encode(), recipient.encode())
    key = HKDF(SHA256(), 32, b"", info).derive(shared(LONG[sender], LONG[recipient]))
    chat = public(CHAT_KEYS[index][1])
    mac = hmac.digest(key, length_prefixed(label, CHAT.encode(), u32(index), chat), sha256)
    return {"senderId": sender, "recipientId": recipient, "index": index, "publicKey": standard(chat), "mac": url(mac)}


def refusals() -> Iterator[tuple[str, str, dict]]:
    """A comment, the error, and the case."""
    text = rfc8785.dumps(FIRST)
    for comment, changed in {
        "sealed for another author": {"data": (CHAT, "eve", "bob", "m1")},
        "sealed for another recipient": {"data": (CHAT, "alice", "eve", "m1")},
        "sealed in another chat": {"data": ("alice_bo", "alice", "bob", "m1")},
        "sealed under another id": {"data": (CHAT, "alice", "bob", "m2")},
        "author and recipient exchanged in the data": {"data": (CHAT, "bob", "alice", "m1")},
        "author and recipient exchanged in the key": {"sender": "bob", "recipient": "alice"},
        "another index of the sender in the key": {"info_i": 1764396001},
        "another index of the recipient in the key": {"info_j": 1764396061},
        "another index of the sender in the token": {"head_i": 1764396001},
        "another index of the recipient in the token": {"head_j": 1764396061},
        "another chat's salt": {"salt": "alice_bo"},
        "no salt": {"salt": ""},
        "the info of version 1": {"info": b"FitLinkChat"},
        "no version in the info": {"label": b"closer-keys/chat"},
        "no agreement of the chat keys": {"secrets": 1},
        "another key of the sender in the token": {"head_key": public(0x66)},
    }.items():
        made = Message(**{name: changed[name] for name in changed if name not in ("sender", "recipient")})
        made.changed |= changed
        yield comment, "authFailed", made.members(text) | {"from": "alice", "to": "bob"}
    for place in (48, 60, 130, -17, -1):
        whole = base64.urlsafe_b64decode(Message().token(text).removeprefix("chat:v2:") + "==")
        changed = bytearray(whole)
        changed[place] ^= 1
        yield f"byte {place} is another", "authFailed", Message().members(text) | {"token": "chat:v2:" + url(bytes(changed))}
    for comment, changed in {
        "index 0 of the sender": {"head_i": 0},
        "index 0 of the recipient": {"head_j": 0},
        "a sender's key of zeros": {"head_key": bytes(32)},
        "a sender's key of low order": {"head_key": bytes([1]) + bytes(31)},
        "a sender's key that is no number below the prime": {"head_key": b"\xff" * 31 + b"\x7f"},
    }.items():
        yield comment, "malformed", Message(**changed).members(text)
    for comment, content in {
        "padding of ones": padded(text)[:-1] + b"\1",
        "a block too many": padded(text) + bytes(64),
        "a count that is too great": u32(200) + padded(text)[4:],
        "a count that is too small": u32(len(text) - 1) + padded(text)[4:],
        "no whole block": padded(text)[:-1],
        "a count of 0": bytes(64),
    }.items():
        yield comment, "malformed", Message(padded=content).members(text)
    for comment, bad in bad_texts():
        yield comment, "malformed", Message().members(bad)
    yield "a prefix of version 1", "malformed", Message().members(text) | {"token": Message().token(text).replace("v2", "v1")}
    yield "a token that is cut", "malformed", Message().members(text) | {"token": Message().token(text)[:180]}
    yield "padding of base64", "malformed", Message().members(text) | {"token": Message().token(text) + "="}


def bad_texts() -> Iterator[tuple[str, bytes]]:
    def without(name: str) -> dict:
        return {key: value for key, value in FIRST.items() if key != name}

    for name in FIRST:
        yield f"no {name}", rfc8785.dumps(without(name))
    for name, values in {
        "n": (0, -1, 2**53, 1.5, "1", None, True), "at": (-1, 2**53, 0.5, "now", None), "body": (1, None, []),
        "kind": ("", "a b", 1, None, "x" * 129, "edit", "reaction", "delete"), "seen": (-1, 2**53, "1", None, 0.5),
        "replyTo": ("", "a|b", 1, None), "expires": (-1, 2**53, "never", None), "cut": (False, 1, None, "true"),
        "payload": ([], "text", None, 1),
    }.items():  # fmt: skip
        for value in values:
            changed = json.dumps(FIRST | {name: value}, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
            yield f"{name}: {json.dumps(value)[:20]}", changed.encode()
    yield "another member", rfc8785.dumps(FIRST | {"type": "text"})
    yield "a name twice", rfc8785.dumps(FIRST).replace(b'"n":1', b'"n":1,"n":1')
    yield "white space", rfc8785.dumps(FIRST).replace(b'"n"', b' "n"')
    yield "another order", b'{"kind":"text","at":1764396000000,"body":"run at 7?","n":1}'
    yield "an escape that canonical JSON lacks", rfc8785.dumps(FIRST).replace(b"run", b"\\u0072un")
    yield "an array", b"[1]"
    yield "no JSON", b"run at 7?"
    yield "bytes that are not UTF-8", rfc8785.dumps(FIRST).replace(b"run", b"\xff\xfe\xfd")


def main() -> None:
    second = Message(i=1765000800, id="m2")
    document = {
        "note": "Bound messages and chat keys of closer-keys-formats(7), CHATS. Private keys are one byte repeated, by name and index in "
        "`longTerm` and `chatKeyBytes`. Each refusal has one fault. Made with pyca/cryptography and rfc8785.",
        "chat": CHAT,
        "longTerm": {name: f"{byte:02x}" for name, byte in LONG.items()},
        "chatKeyBytes": {str(index): f"{byte:02x}" for index, (_, byte) in CHAT_KEYS.items()},
        "iv": IV.hex(),
        "Z": shared(*LONG.values()).hex(),
        "chatV2": [golden(Message(), FIRST), golden(Message("bob", "alice", 1764396060, 1764396000), FIRST), golden(second, SECOND)],
        "chatKeys": [chat_key(owner, index) for index, (owner, _) in CHAT_KEYS.items()],
        "refusals": [{"comment": comment, "error": error} | case for comment, error, case in refusals()],
    }
    path = FOLDER / "chat.json"
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    print(f"{path.name}: {len(document['chatV2'])} messages, {len(document['chatKeys'])} chat keys, {len(document['refusals'])} refusals")


if __name__ == "__main__":
    main()
