"""Holds the partner against the golden values before it judges: both sides could make the same mistake."""

import hmac
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

from tink.proto import tink_pb2

from checks import same
from partner import documents, payload, rekey, sealed, wrap
from partner.contexts import Context
from partner.couple_key import CoupleKey, keyset_of, strict_keyset, subkey
from partner.encoding import token, token_payload
from partner.reveal import Shown, reveal

FILE = Path(__file__).parents[3] / "vectors" / "golden.json"

# What it is, what it must be, and what the partner makes of it.
Compared = Iterator[tuple[str, object, object]]


def check() -> int:
    """Gives back how many values were compared; fails at the first that differs."""
    golden = json.loads(FILE.read_text(), object_hook=lambda members: SimpleNamespace(**members))
    compared = 0
    for part in (_couple_key, _wrap, _phrase_under_code, _sealed_answer, _identity, _keyboxes, _rekey):
        for name, expected, actual in part(golden):
            same(f"golden {name}", expected, actual)
            compared += 1
    return compared


def _couple_key(golden: SimpleNamespace) -> Compared:
    expected, field = golden.coupleKeyset, golden.field
    key = _key(golden)
    yield "couple keyset", expected.binaryHex, key.binary().hex()
    yield "strict keyset", expected.binaryHex, strict_keyset(key.binary()).SerializeToString().hex()
    yield "JSON keyset", expected.binaryHex, strict_keyset(key.json(), "json").SerializeToString().hex()
    yield "field", field.plaintext, key.open_field(golden.ids.coupleId, field.token).decode()
    yield "field token", field.token, token("enc:v1:", token_payload("enc:v1:", field.token))
    for label, digits in vars(golden.subkeysHex).items():
        yield label, digits, subkey(key.enabled()[0], label, golden.ids.coupleId).hex()
    digits = key.fingerprint(golden.ids.coupleId)
    yield "fingerprint", golden.subkeysHex.fingerprint[:20], digits.replace(" ", "")
    yield "groups of the fingerprint", [4] * 5, [len(group) for group in digits.split(" ")]


def _wrap(golden: SimpleNamespace) -> Compared:
    expected, document = golden.wrap, vars(golden.wrap.document)
    wrapping_key = wrap.derived(expected.phrase.encode(), bytes.fromhex(expected.kdfSaltHex))
    yield "wrapping key", expected.wrappingKeyHex, wrapping_key.hex()
    made = wrap.wrap(_key(golden).binary(), expected.phrase, _given(expected.kdfSaltHex, expected.ivHex))
    yield "wrap", document, made
    yield "unwrapped", _key(golden).binary().hex(), wrap.unwrap(document, expected.phrase).hex()
    typed = expected.phrase.upper().replace(" ", "-\u00a0\r\n") + " "
    yield "unwrapped as typed", _key(golden).binary().hex(), wrap.unwrap(document, typed).hex()
    stored = documents.written(documents.couple(document))
    yield "couple document", document | {"encryptionVersion": 2}, documents.read("couple", stored)


def _phrase_under_code(golden: SimpleNamespace) -> Compared:
    expected = golden.phraseUnderCode
    made = wrap.under_code(expected.phrase, expected.code, _given(expected.saltHex, expected.ivHex))
    yield "phrase under code", expected.blob, made
    yield "phrase", expected.phrase, wrap.from_code(expected.blob, expected.code)


def _sealed_answer(golden: SimpleNamespace) -> Compared:
    expected, context = golden.sealedAnswer, _context(golden)
    answer = json.dumps({"schemaVersion": 3, "answer": "yes"})
    blinding = bytes(range(0x40, 0x60)).hex()
    key, place = _key(golden).enabled()[0], f"daily:{golden.ids.date}"
    made = payload.hardened(answer, key, context, place, _given(blinding))
    yield "payload", expected.payload, made.decode()
    yield "commitment", expected.commitmentHash, payload.commitment(made)
    one_time = CoupleKey(
        keyset_of(bytes.fromhex(expected.oneTimeKeyset.keyHex), expected.oneTimeKeyset.keyId)
    )
    yield "one-time keyset", expected.oneTimeKeyset.binaryHex, one_time.binary().hex()
    shown = Shown(expected.encryptedPayload, expected.commitmentHash, context, place, None)
    revealed = reveal(shown, one_time.binary(), _key(golden))
    yield "revealed", expected.payload, revealed.payload.decode()


def _identity(golden: SimpleNamespace) -> Compared:
    identity = tink_pb2.Keyset.FromString(bytes.fromhex(golden.userKey.privateKeysetHex))
    yield "public key", golden.userKey.publicToken, sealed.public_token(identity)
    public = sealed.public_keyset(golden.userKey.publicToken)
    yield "key id", golden.userKey.keyId, public.primary_key_id


def _keyboxes(golden: SimpleNamespace) -> Compared:
    identity = tink_pb2.Keyset.FromString(bytes.fromhex(golden.userKey.privateKeysetHex))
    context, one_time = _context(golden), golden.sealedAnswer.oneTimeKeyset
    yield "keybox context", golden.keybox.context, context.of_release(golden.ids.bob).decode()
    held = sealed.opened_keybox(golden.keybox.ofKeyset, identity, context, golden.ids.bob)
    yield "keybox of a keyset", one_time.binaryHex, held.hex()
    raw = sealed.opened_keybox(golden.keybox.ofRawKey, identity, context, golden.ids.bob)
    yield "keybox of a raw key", one_time.keyHex, raw.hex()


def _rekey(golden: SimpleNamespace) -> Compared:
    made = rekey.body(1, bytes.fromhex(golden.rekey.keysetHex), golden.rekey.phrase.encode())
    yield "body of a rekey", golden.rekey.bodyHex, made.hex()
    route = rekey.Route(golden.ids.coupleId, golden.rekey.sender, golden.rekey.recipient)
    yield "context of a rekey", golden.rekey.context, route.context(1).decode()
    scalar, point = int(golden.rekey.senderScalarHex, 16), bytes.fromhex(golden.rekey.recipientPointHex)
    key = rekey.authentication_key(scalar, point, route)
    yield "key of a rekey's MAC", golden.rekey.authKeyHex, key.hex()
    yield "MAC of a rekey", golden.rekey.macHex, hmac.digest(key, made, "sha256").hex()


def _key(golden: SimpleNamespace) -> CoupleKey:
    return CoupleKey(keyset_of(bytes.fromhex(golden.coupleKeyset.keyHex), golden.coupleKeyset.keyId))


def _context(golden: SimpleNamespace) -> Context:
    return Context(golden.ids.coupleId, golden.ids.questionId, golden.sealedAnswer.author)


def _given(*hexadecimals: str) -> Callable[[int], bytes]:
    """Random bytes that are known beforehand."""
    rest = iter(hexadecimals)
    return lambda count: bytes.fromhex(next(rest))[:count]
