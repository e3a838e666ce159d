"""Makes v1/chat_fitlink.json and v1/chat_fond.json (closer-keys-formats(7), CHATS), by pyca/cryptography."""

import base64

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from kit.changes import flipped, respelled_standard
from kit.frame import Group, VectorFile
from kit.stream import stream
from kit.x25519_keys import ALICE, BOB, EVE, LOW_ORDER, OTHER_SPELLINGS, bytes_of

FITLINK_NOTES = {
    "Normal": "A message, from either side",
    "Size": "Empty, one byte, around the borders of blocks",
    "ChatId": "The chat's id is the salt",
    "Identifier": "An id has 1 to 128 of ASCII's letters and digits and . _ - : @ +",
    "OtherKey": "Another pair of keys",
    "Modified": "A byte changed, was cut off or was added",
    "LowOrder": "A peer's key of low order, which a server may publish",
    "PeerKey": "No peer's key: not 32 bytes in the one spelling of standard base64",
    "Base64": "Not the one spelling of standard base64",
    "Length": "A nonce has 12 bytes, and a ciphertext a tag: without one it is only a message that somebody cut",
}
FOND_NOTES = {
    "Normal": "A value as the app writes it, from either side",
    "Size": FITLINK_NOTES["Size"],
    "Parameters": "Another salt or info",
    "OtherParameters": "Sealed with another salt or info",
    **{
        name: FITLINK_NOTES[name]
        for name in ("OtherKey", "Modified", "LowOrder", "PeerKey", "Base64", "Length")
    },
}


def standard(content: bytes) -> str:
    return base64.b64encode(content).decode()


def secrets(ours: X25519PrivateKey, theirs: X25519PrivateKey, salt: bytes, info: bytes) -> dict:
    shared = ours.exchange(theirs.public_key())
    return {"sharedSecret": shared, "derivedKey": HKDF(SHA256(), 32, salt, info).derive(shared)}


def people(ours: X25519PrivateKey, theirs: X25519PrivateKey) -> dict:
    return {
        "privateKey": ours.private_bytes_raw(),
        "peerPublicKey": standard(theirs.public_key().public_bytes_raw()),
    }


def fitlink(
    group: Group, comment: str, flag: str, text: bytes, chat: str = "alice_bob", ours=BOB, theirs=ALICE
) -> dict:
    trace, iv = secrets(ours, theirs, chat.encode(), b"FitLinkChat"), stream(f"fitlink iv {comment}", 12)
    content = standard(AESGCM(trace["derivedKey"]).encrypt(iv, text, None))
    case = {**people(ours, theirs), "chatId": chat, "encrypted_content": content, "iv": standard(iv)}
    return group.valid(comment, case, {"plaintext": text}, flag, trace=trace)


def fitlink_messages() -> None:
    file = VectorFile("chat_fitlink", "FitLink message, X25519, HKDF-SHA256, AES-256-GCM", FITLINK_NOTES)
    group = file.group("chat.fitlink.open", "cryptography")
    good = fitlink(group, "a message", "Normal", "run at 7? 🏃".encode())
    fitlink(group, "the author reads it again", "Normal", b"run at 8", ours=ALICE, theirs=BOB)
    for size in (0, 1, 15, 16, 17, 32, 1000):
        fitlink(group, f"{size} bytes", "Size", stream(f"fitlink {size}", size))
    for chat in ("a", "x" * 128, "A.b_c-d:e@f+g", "bob_alice"):
        fitlink(group, f"chat {chat[:20]}", "ChatId", b"hello", chat)
    for chat in ("bob_alice", "alice_bo", "Alice_bob"):
        group.invalid(f"chat {chat}", good | {"chatId": chat}, "authFailed", "ChatId")
    for chat in ("", "x" * 129, "alice|bob", "älice_bob"):
        group.invalid(
            f"chat {chat[:9]!a}, {len(chat)} characters", good | {"chatId": chat}, "malformed", "Identifier"
        )
    refuse_keys(group, good)
    for member, places in (("encrypted_content", (0, -17, -16, -1)), ("iv", (0, 11))):
        content = base64.b64decode(good[member])
        for place in places:
            group.invalid(
                f"{member}, byte {place}",
                good | {member: standard(flipped(content, place))},
                "authFailed",
                "Modified",
            )
        for comment, other in spellings(good[member]):
            group.invalid(f"{member}: {comment}", good | {member: other}, "malformed", "Base64")
    content, iv = (base64.b64decode(good[member]) for member in ("encrypted_content", "iv"))
    group.invalid(
        "a byte less", good | {"encrypted_content": standard(content[:-1])}, "authFailed", "Modified"
    )
    group.invalid(
        "a byte more", good | {"encrypted_content": standard(content + b"\0")}, "authFailed", "Modified"
    )
    for count in (0, 11, 13, 16):
        group.invalid(
            f"an iv of {count} bytes", good | {"iv": standard((iv + iv)[:count])}, "malformed", "Length"
        )
    for count in (0, 15):
        group.invalid(
            f"a ciphertext of {count} bytes",
            good | {"encrypted_content": standard(content[:count])},
            "authFailed",
            "Length",
        )
    file.write()


def fond(
    group: Group,
    comment: str,
    flag: str,
    text: bytes,
    salt: bytes = b"",
    info: str = "Fond",
    ours=BOB,
    theirs=ALICE,
) -> dict:
    trace, iv = secrets(ours, theirs, salt, info.encode()), stream(f"fond iv {comment}", 12)
    field = standard(iv + AESGCM(trace["derivedKey"]).encrypt(iv, text, None))
    case = {**people(ours, theirs), "salt": salt, "info": info, "field": field}
    return group.valid(comment, case, {"plaintext": text}, flag, trace=trace)


def fond_values() -> None:
    file = VectorFile("chat_fond", "Fond value, X25519, HKDF-SHA256, AES-256-GCM", FOND_NOTES)
    group = file.group("chat.fond.open", "cryptography")
    good = fond(group, "a location", "Normal", b'{"lat":52.52,"lon":13.4}')
    fond(group, "a heartbeat, read again by its author", "Normal", b'{"bpm":72}', ours=ALICE, theirs=BOB)
    for size in (0, 1, 15, 16, 17, 32, 1000):
        fond(group, f"{size} bytes", "Size", stream(f"fond {size}", size))
    for salt, info in (
        (b"salt", "Fond"),
        (b"", ""),
        (b"\0" * 64, "fond/v2"),
        (stream("fond salt", 200), "Fönd"),
    ):
        fond(group, f"salt of {len(salt)}, info {info}", "Parameters", b"hello", salt, info)
    for changes in ({"salt": "01"}, {"info": ""}, {"info": "fond"}, {"info": "FitLinkChat"}):
        group.invalid(f"with {changes}", good | changes, "authFailed", "OtherParameters")
    refuse_keys(group, good)
    box = base64.b64decode(good["field"])
    for place in (0, 11, 12, -17, -16, -1):
        group.invalid(
            f"byte {place}", good | {"field": standard(flipped(box, place))}, "authFailed", "Modified"
        )
    group.invalid("a byte less", good | {"field": standard(box[:-1])}, "authFailed", "Modified")
    group.invalid("a byte more", good | {"field": standard(box + b"\0")}, "authFailed", "Modified")
    for comment, other in spellings(good["field"]):
        group.invalid(comment, good | {"field": other}, "malformed", "Base64")
    for count in (0, 12, 27):
        group.invalid(f"{count} bytes", good | {"field": standard(box[:count])}, "authFailed", "Length")
    file.write()


def refuse_keys(group: Group, good: dict) -> None:
    group.invalid(
        "another private key", good | {"privateKey": EVE.private_bytes_raw()}, "authFailed", "OtherKey"
    )
    group.invalid("another peer", good | people(BOB, EVE), "authFailed", "OtherKey")
    for name, number in LOW_ORDER.items():
        group.invalid(
            f"the peer's key is {name}",
            good | {"peerPublicKey": standard(bytes_of(number))},
            "malformed",
            "LowOrder",
        )
    text = good["peerPublicKey"]
    keys = {
        "unpadded": text.rstrip("="),
        "of 31 bytes": standard(bytes(31)),
        **{name: standard(bytes_of(number)) for name, number in OTHER_SPELLINGS.items()},
        "of 33 bytes": standard(b"\5" + base64.b64decode(text)),
        "hexadecimal": base64.b64decode(text).hex(),
        "missing": "",
        "with a line break": text + "\n",
    }
    for name, other in keys.items():
        group.invalid(f"the peer's key is {name}", good | {"peerPublicKey": other}, "malformed", "PeerKey")


def spellings(text: str):
    """Those that a text without padding has, too."""
    if text.endswith("="):
        yield from respelled_standard(text)
        return
    yield "with padding", text + "===="
    yield "a line break at the end", text + "\n"
    yield "a letter outside the alphabet", "*" + text[1:]


fitlink_messages()
fond_values()
