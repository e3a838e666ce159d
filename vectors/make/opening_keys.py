"""Makes v1/opening_keys.json: closer-keys-formats(7), OPENING KEYS, by Python's struct, with a keyset that Tink reads."""

import base64
from struct import pack

from tink.proto import tink_pb2

from kit.aes_keys import binary, entry, keyset, sealed
from kit.changes import flipped
from kit.frame import Group, VectorFile
from kit.stream import stream
from kit.streaming_keys import streaming_entry

from partner.encoding import placed  # the partner's: its folder is on the path once kit is there

NOTES = {
    "Normal": "What an app stores for its extension, and what it opens",
    "Origin": "How a key came to the device: one byte for each key",
    "Epoch": "A number of 64 bits that must be one of 32",
    "Keyset": "The keyset is binary, in its one spelling, of AES-256-GCM keys alone",
    "Form": "Eight items, each behind its count of bytes, and nothing else",
    "Name": "Another format, or another version of this one",
    "Identifier": "An id that is none",
    "OtherKey": "Sealed under a key that is not there, or not enabled",
    "OtherCouple": "Sealed for another couple",
    "Place": "Sealed for another place, or for none, where the reader has a place",
    "Chat": "The keys of one chat open its messages alone",
    "Modified": "A byte of the ciphertext changed",
}
NAME, COUPLE, CHAT = b"closer-keys/opening-keys/1", b"couple_1", b"alice_bob"
NEW, OLD, OFF = entry("opening", 168496141), entry("opening old", 7), entry("opening off", 8)
OFF.status = tink_pb2.DISABLED
INVITE, REKEY, PAIRING, EXPOSED, GIVEN = range(5)
KEY = stream("opening chat", 32)
FITLINK, FOND = (b"fitlink", CHAT, KEY), (b"fond", b"", KEY)


def items(*parts: bytes) -> bytes:
    return b"".join(pack(">I", len(part)) + part for part in parts)


def origins(*pairs: tuple[int, int]) -> bytes:
    return b"".join(pack(">IB", *pair) for pair in pairs)


def keys(**changes) -> bytes:
    """One enabled key that came by a pairing, with what a test changes."""
    parts = {
        "name": NAME,
        "couple": COUPLE,
        "epoch": pack(">Q", 7),
        "keyset": binary(keyset(NEW)),
        "origins": origins((NEW.key_id, PAIRING)),
        "profile": b"",
        "chat": b"",
        "key": b"",
        **changes,
    }
    return items(*parts.values())


def with_chat(profile: bytes, chat: bytes, key: bytes) -> bytes:
    return keys(profile=profile, chat=chat, key=key)


def token(key=NEW, couple: bytes = COUPLE, text: bytes = b"hello") -> str:
    return "enc:v1:" + base64.b64encode(sealed(key, text, couple, f"opening {key.key_id}")).decode()


def fields(group: Group) -> None:
    def opens(comment: str, flag: str, origin: str, under=NEW, **changes) -> dict:
        couple, epoch = changes.get("couple", COUPLE), changes.get("epoch", pack(">Q", 7))
        case = {"openingKeys": keys(**changes), "token": token(under, couple)}
        number = int.from_bytes(epoch, "big")
        output = {"coupleId": couple.decode(), "epoch": number, "origin": origin, "plaintext": b"hello"}
        return group.valid(comment, case, output, flag)

    good = opens("a couple that was paired", "Normal", "pairing")
    for number, name in enumerate(("invite", "rekey", "pairing", "exposed", "given")):
        opens(f"a key by {name}", "Origin", name, origins=origins((NEW.key_id, number)))
    both, of_both = binary(keyset(NEW, OLD)), origins((NEW.key_id, REKEY), (OLD.key_id, INVITE))
    opens("the newer of two keys", "Normal", "rekey", keyset=both, origins=of_both)
    opens("the older of two keys", "Normal", "invite", OLD, keyset=both, origins=of_both)
    for epoch in (0, (1 << 32) - 1):
        opens(f"epoch {epoch}", "Epoch", "pairing", epoch=pack(">Q", epoch))
    opens("a couple of 128 letters", "Identifier", "pairing", couple=b"x" * 128)

    def refuses(comment: str, flag: str, **changes) -> None:
        group.invalid(comment, good | {"openingKeys": keys(**changes)}, "malformed", flag)

    for epoch in (1 << 32, (1 << 64) - 1):
        refuses(f"epoch {epoch}", "Epoch", epoch=pack(">Q", epoch))
    refuses("an epoch of 4 bytes", "Epoch", epoch=pack(">I", 7))
    refuses("version 2", "Name", name=b"closer-keys/opening-keys/2")
    refuses("no name", "Name", name=b"")
    for couple in (b"", b"x" * 129, b"a|b", "käthe".encode()):
        refuses(f"couple {couple[:9]!a}", "Identifier", couple=couple)
    refuse_origins(refuses, both)
    refuse_keysets(refuses)
    content = good["openingKeys"]
    for count in (0, 3, 4, 29, len(content) - 1):
        group.invalid(f"{count} bytes", good | {"openingKeys": content[:count]}, "malformed", "Form")
    group.invalid("a byte more", good | {"openingKeys": content + b"\0"}, "malformed", "Form")
    longer = b"\xff\xff\xff\xff" + content[4:]
    group.invalid("an item of 4 GiB", good | {"openingKeys": longer}, "malformed", "Form")
    refuse_tokens(group, good)


def refuse_origins(refuses, both: bytes) -> None:
    one, other = (NEW.key_id, PAIRING), (OLD.key_id, INVITE)
    refuses("an origin that there is none of", "Origin", origins=origins((NEW.key_id, 5)))
    refuses("no origin", "Origin", origins=b"")
    refuses("an origin of another key", "Origin", origins=origins(other))
    refuses("an origin more", "Origin", origins=origins(one, other))
    refuses("an origin less", "Origin", keyset=both, origins=origins(one))
    refuses("in another order", "Origin", keyset=both, origins=origins(other, one))
    refuses("half an origin", "Origin", origins=origins(one)[:-1])


def refuse_keysets(refuses) -> None:
    streaming = streaming_entry("opening streaming", NEW.key_id, 1 << 20)
    whole = binary(keyset(NEW))
    refuses("a keyset of another type", "Keyset", keyset=binary(keyset(streaming)))
    refuses("an empty keyset", "Keyset", keyset=b"")
    refuses("an unknown field", "Keyset", keyset=whole + b"\x38\x01")
    refuses("half a keyset", "Keyset", keyset=whole[: len(whole) // 2])
    refuses("a primary that is not there", "Keyset", keyset=flipped(whole, 1))


def refuse_tokens(group: Group, good: dict) -> None:
    off = keys(keyset=binary(keyset(NEW, OFF)), origins=origins((NEW.key_id, PAIRING), (OFF.key_id, INVITE)))
    case = {"openingKeys": off, "token": token(OFF)}
    group.invalid("under a disabled key", case, "noKey", "OtherKey")
    group.invalid("under a key that is not there", good | {"token": token(OLD)}, "noKey", "OtherKey")
    other = token(couple=b"couple_2")
    group.invalid("of another couple", good | {"token": other}, "authFailed", "OtherCouple")
    box = base64.b64decode(good["token"].removeprefix("enc:v1:"))
    changed = "enc:v1:" + base64.b64encode(flipped(box, -1)).decode()
    group.invalid("a byte of the tag", good | {"token": changed}, "authFailed", "Modified")


def placed_token(place: str, couple: str = COUPLE.decode()) -> str:
    box = sealed(NEW, b"hello", placed(couple, place), f"opening {place}")
    return "enc:v2:" + base64.b64encode(box).decode()


def placed_fields(group: Group) -> None:
    output = {"coupleId": COUPLE.decode(), "epoch": 7, "origin": "pairing", "plaintext": b"hello"}
    good = {"openingKeys": keys(), "token": placed_token("a/b"), "place": "a/b"}
    group.valid("at its place", good, output, "Normal")
    group.invalid("at another place", good | {"place": "a/c"}, "authFailed", "Place")
    group.invalid("at no place", good | {"place": ""}, "malformed", "Place")
    group.invalid("of version 1", good | {"token": token()}, "unbound", "Place")
    other = good | {"token": placed_token("a/b", "couple_2")}
    group.invalid("of another couple", other, "authFailed", "OtherCouple")


def message(key: bytes = KEY) -> dict:
    box = boxed(key)
    return {"encrypted_content": standard(box[12:]), "iv": standard(box[:12])}


def boxed(key: bytes = KEY) -> bytes:
    whole = entry("", 1, tink_pb2.RAW)
    whole.key_data.value = b"\x1a\x20" + key
    return sealed(whole, b"run at 7", b"", "opening chat")


def standard(content: bytes) -> str:
    return base64.b64encode(content).decode()


def chats(file: VectorFile) -> None:
    fitlink = file.group("openingKeys.fitlink", "cryptography")
    fond = file.group("openingKeys.fond", "cryptography")
    field, output = {"field": standard(boxed())}, {"plaintext": b"run at 7"}
    fitlink.valid("a message", {"openingKeys": with_chat(*FITLINK), **message()}, output, "Normal")
    fond.valid("a value", {"openingKeys": with_chat(*FOND), **field}, output, "Normal")
    of_another = stream("opening chat, another", 32)
    for comment, parts in (
        ("no chat", (b"", b"", b"")),
        ("another chat's key", (b"fitlink", CHAT, of_another)),
        ("of Fond", FOND),
    ):
        fitlink.invalid(
            comment, {"openingKeys": with_chat(*parts), **message()}, "authFailed", "Chat"
        )
    fond.invalid("of FitLink", {"openingKeys": with_chat(*FITLINK), **field}, "authFailed", "Chat")
    for comment, parts in (
        ("a key of 31 bytes", (b"fitlink", CHAT, KEY[:-1])),
        ("no key", (b"fitlink", CHAT, b"")),
        ("no chat's id", (b"fitlink", b"", KEY)),
        ("an id that is none", (b"fitlink", b"a|b", KEY)),
        ("another profile", (b"Fitlink", CHAT, KEY)),
        ("no profile", (b"", CHAT, KEY)),
        ("a key alone", (b"", b"", KEY)),
    ):
        fitlink.invalid(comment, {"openingKeys": with_chat(*parts), **message()}, "malformed", "Form")
    fond.invalid(
        "an id", {"openingKeys": with_chat(b"fond", CHAT, KEY), **field}, "malformed", "Form"
    )


def main() -> None:
    file = VectorFile("opening_keys", "Opening keys, AES-256-GCM", NOTES)
    fields(file.group("openingKeys.field", "cryptography"))
    placed_fields(file.group("openingKeys.placedField", "cryptography"))
    chats(file)
    file.write()


main()
