"""What an app stores for its extension, taken apart by Python's struct, and what it opens, by Tink and pyca/cryptography."""

from struct import error, unpack_from

from checks import Refused
from kit.readers.chats import opened_box, opened_message
from kit.readers.keyset_files import from_binary, kind
from kit.readers.tink_ciphertexts import opened, prefix
from partner.encoding import identifier, placed, placed_payload, token_payload

NAME = b"closer-keys/opening-keys/1"
ORIGINS = ("invite", "rekey", "pairing", "exposed", "given")


def open_field(case: dict) -> dict:
    return _open(case, token_payload("enc:v1:", case["token"]), str.encode)


def open_placed_field(case: dict) -> dict:
    return _open(case, placed_payload(case["token"]), lambda couple: placed(couple, case["place"]))


def _open(case: dict, ciphertext: bytes, binding) -> dict:
    couple, epoch, keyset, origins, _ = _taken_apart(case["openingKeys"])
    plaintext = opened(keyset, ciphertext, binding(couple))
    [key] = [key for key in keyset.key if key.key_id in origins and ciphertext.startswith(prefix(key))]
    return {"coupleId": couple, "epoch": epoch, "origin": origins[key.key_id], "plaintext": plaintext}


def open_fitlink(case: dict) -> dict:
    return {"plaintext": opened_message(_chat_key(case["openingKeys"], "fitlink"), case)}


def open_fond(case: dict) -> dict:
    return {"plaintext": opened_box(_chat_key(case["openingKeys"], "fond"), case)}


def _chat_key(keys: str, profile: str) -> bytes | None:
    *_, (known, key) = _taken_apart(keys)
    return key if known == profile else None


def _taken_apart(keys: str):
    name, couple, epoch, keyset, origins, profile, chat, key = _items(bytes.fromhex(keys))
    if name != NAME or len(epoch) != 8 or int.from_bytes(epoch, "big") >= 1 << 32:
        raise Refused("malformed")
    try:
        parsed = from_binary(keyset, "strict")
        couple, profile, chat = couple.decode("ascii"), profile.decode("ascii"), chat.decode("ascii")
    except (Refused, UnicodeDecodeError):
        raise Refused("malformed") from None
    if any(kind(entry) not in ("aes256-gcm", "destroyed") for entry in parsed.key):
        raise Refused("malformed")
    if chat:
        identifier(chat)
    if (profile, bool(chat), len(key)) not in (("", False, 0), ("fond", False, 32), ("fitlink", True, 32)):
        raise Refused("malformed")
    of_keys = _origins(origins, [entry.key_id for entry in parsed.key])
    return identifier(couple), int.from_bytes(epoch, "big"), parsed, of_keys, (profile, key)


def _items(content: bytes) -> list[bytes]:
    """Eight items, each behind its count of bytes, and nothing else."""
    items, place = [], 0
    for _ in range(8):
        try:
            (count,) = unpack_from(">I", content, place)
        except error:
            raise Refused("malformed") from None
        items.append(content[place + 4 : place + 4 + count])
        if len(items[-1]) < count:
            raise Refused("malformed")
        place += 4 + count
    if place != len(content):
        raise Refused("malformed")
    return items


def _origins(content: bytes, ids: list[int]) -> dict[int, str]:
    entries = [content[place : place + 5] for place in range(0, len(content), 5)]
    if [int.from_bytes(entry[:4], "big") for entry in entries] != ids or len(content) != 5 * len(ids):
        raise Refused("malformed")
    if any(entry[4] >= len(ORIGINS) for entry in entries):
        raise Refused("malformed")
    return {key_id: ORIGINS[entry[4]] for key_id, entry in zip(ids, entries)}
