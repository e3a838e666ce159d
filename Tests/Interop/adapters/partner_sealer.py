"""What the partner seals for the line protocol of vectors/README.md: each function takes a case and gives the output.

No output comes twice: salts, nonces, ephemeral keys and one-time keys are drawn anew.
"""

import json
import secrets

from tink.proto import tink_pb2

import theirs
from kit import pairing_sealer
from kit.readers import bound_messages
from partner import chat, payload, rekey, sealed, wrap
from partner.contexts import Context
from partner.couple_key import CoupleKey
from partner.encoding import token

# A raw key's ciphertexts have no prefix: five more bytes of payload, or the token misses its 80 characters.
LEAST_UNDER_RAW_KEY = payload.MINIMUM + 5


def seal_aead(case: dict) -> dict:
    plaintext, data = _bytes(case, "plaintext", "associatedData")
    return {"ciphertext": theirs.field_cipher(_keyset(case["keyset"])).encrypt(plaintext, data).hex()}


def seal_field(case: dict) -> dict:
    couple_key = CoupleKey(_keyset(case["keyset"]))
    return {"token": couple_key.seal_field(case["coupleId"], bytes.fromhex(case["plaintext"]))}


def seal_placed_field(case: dict) -> dict:
    couple_key = CoupleKey(_keyset(case["keyset"]))
    plaintext = bytes.fromhex(case["plaintext"])
    return {"token": couple_key.seal_placed_field(case["coupleId"], case["place"], plaintext)}


def seal_ecies(case: dict) -> dict:
    plaintext, context = _bytes(case, "plaintext", "context")
    return {"ciphertext": theirs.box_sealer(_keyset(case["publicKeyset"])).encrypt(plaintext, context).hex()}


def seal_keybox(case: dict) -> dict:
    sealer = theirs.box_sealer(sealed.public_keyset(case["publicKey"]))
    box = sealer.encrypt(bytes.fromhex(case["plaintext"]), case["context"].encode())
    return {"keybox": token("keybox:v1:", box)}


def seal_stream(case: dict) -> dict:
    plaintext, data = _bytes(case, "plaintext", "associatedData")
    return {"ciphertext": theirs.seal_stream(_keyset(case["keyset"]), plaintext, data).hex()}


def seal_fitlink(case: dict) -> dict:
    key = _side(case).fitlink_key(chat.decode(case["peerPublicKey"]), case["chatId"])
    return chat.document(chat.seal(key, bytes.fromhex(case["plaintext"])))


def seal_fond(case: dict) -> dict:
    salt, plaintext = _bytes(case, "salt", "plaintext")
    key = _side(case).agree(chat.decode(case["peerPublicKey"]), salt, case["info"].encode())
    return {"field": chat.encode(chat.seal(key, plaintext))}


def seal_bound(case: dict) -> dict:
    channel = bound_messages.channel(case, is_ours=True)
    return {"token": channel.seal(bytes.fromhex(case["plaintext"]), case["messageId"])}


def wrap_keyset(case: dict) -> dict:
    return wrap.wrap(bytes.fromhex(case["keyset"]), case["phrase"])


def seal_invite(case: dict) -> dict:
    return {"recoveryPhrase": wrap.under_code(case["phrase"], case["code"])}


def seal_answer(case: dict) -> dict:
    """Under 32 raw bytes or a keyset of one key, as chance decides."""
    content = bytes.fromhex(case["payload"])
    context = Context(case["coupleId"], case["questionId"], case["userId"])
    raw_key = len(content) >= LEAST_UNDER_RAW_KEY and secrets.choice((True, False))
    answer = sealed.sealed(content, payload.commitment(content), context, raw_key)
    return {
        "oneTimeKey": answer.one_time_key.hex(),
        "encryptedPayload": answer.token,
        "commitmentHash": answer.commitment,
    }


def seal_rekey(case: dict) -> dict:
    """For the device with that public key."""
    route = rekey.Route(case["coupleId"], case["senderId"], case["recipientId"])
    identity, keyset = _keyset(case["identityKeyset"]), _keyset(case["keyset"])
    text = rekey.document(route, int(case["epoch"]), keyset, case["phrase"], identity, case["publicKey"])
    return {"encryptedCoupleKey": json.loads(text)["encryptedCoupleKey"]}


SEALERS = {
    "aead.seal": seal_aead,
    "answer.seal": seal_answer,
    "chat.fitlink.seal": seal_fitlink,
    "chat.fond.seal": seal_fond,
    "chat2.seal": seal_bound,
    "ecies.seal": seal_ecies,
    "field.seal": seal_field,
    "placedField.seal": seal_placed_field,
    "invite.seal": seal_invite,
    "keybox.seal": seal_keybox,
    "pairing.grant": pairing_sealer.grant,
    "pairing.reply": pairing_sealer.reply,
    "rekey.seal": seal_rekey,
    "stream.seal": seal_stream,
    "wrap.wrap": wrap_keyset,
}


def _bytes(case: dict, *names: str) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(case[name]) for name in names)


def _keyset(binary: str) -> tink_pb2.Keyset:
    return tink_pb2.Keyset.FromString(bytes.fromhex(binary))


def _side(case: dict) -> chat.Side:
    return chat.Side(bytes.fromhex(case["privateKey"]))
