"""Payloads, sealed texts and keyboxes of answers, by the partner and pyca, with random bytes of ours."""

import base64
from dataclasses import dataclass

from tink.proto import tink_pb2

from kit import aes_keys, ecies_keys
from kit.stream import stream

from partner import payload as payloads
from partner.contexts import Context

COUPLE_KEYS = [aes_keys.entry("couple primary", 305419896), aes_keys.entry("couple old", 200)]
DISABLED = aes_keys.entry("couple disabled", 300, status=tink_pb2.DISABLED)
COUPLE_KEYSET = aes_keys.binary(aes_keys.keyset(*COUPLE_KEYS, DISABLED))
IDENTITY = [
    ecies_keys.entry(ecies_keys.scalar("identity"), 1432778632),
    ecies_keys.entry(ecies_keys.scalar("identity old"), 77),
]
IDENTITY_KEYSET = aes_keys.binary(aes_keys.keyset(*IDENTITY))
CONTEXT, RECIPIENT, PLACE = Context("couple_1", "q_42", "alice"), "bob", "daily:2026-11-20"
ANSWER = '{"answer":"yes/no ❤","schemaVersion":3}'


@dataclass(frozen=True)
class OneTimeKey:
    """As a keybox holds it, and the entry that seals: a raw key has no prefix."""

    content: bytes
    entry: tink_pb2.Keyset.Key


def raw_key(label: str) -> OneTimeKey:
    entry = aes_keys.entry(label, 0, tink_pb2.RAW)
    return OneTimeKey(aes_keys.key_bytes(entry), entry)


def keyset_key(label: str, key_id: int = 287454020) -> OneTimeKey:
    entry = aes_keys.entry(label, key_id)
    return OneTimeKey(aes_keys.binary(aes_keys.keyset(entry)), entry)


def hardened(
    label: str, answer: str = ANSWER, key=COUPLE_KEYS[0], context: Context = CONTEXT, place: str = PLACE
) -> bytes:
    def blinding(count: int) -> bytes:
        return stream(f"blinding {label}", count)

    return payloads.hardened(answer, aes_keys.key_bytes(key), context, place, blinding)


def sealed_text(key: OneTimeKey, payload: bytes, label: str, context: Context = CONTEXT) -> str:
    return url("sealed:v1:", aes_keys.sealed(key.entry, payload, context.of_payload(), label))


def keybox(
    content: bytes, label: str, context: Context = CONTEXT, recipient: str = RECIPIENT, identity=IDENTITY[0]
) -> str:
    box = ecies_keys.sealed(identity, content, context.of_release(recipient), label)
    return url("keybox:v1:", box.ciphertext)


def ids(context: Context) -> dict:
    return {"coupleId": context.couple, "questionId": context.question}


def url(prefix: str, content: bytes) -> str:
    return prefix + base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def content_of(text: str) -> bytes:
    payload = text.rpartition(":")[2]
    return base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))


# A field of the couple.
FIELD = "enc:v1:" + base64.b64encode(aes_keys.sealed(COUPLE_KEYS[0], b"yes", b"couple_1", "field")).decode()
