"""Makes v1/rekey.json: rekeys that a partner opens, and one fault in each thing that is derived, proven or sealed.

The boxes are made as Tink makes them, with ephemeral keys of ours, and opened by Tink. MACs are Python's, keys pyca's.
"""

import hmac
from dataclasses import dataclass, replace

from kit import aes_keys, ecies_keys, pairing_bodies
from kit.answer_parts import content_of, url
from kit.frame import Group, VectorFile
from kit.pairing_keys import Hold
from kit.pairing_scene import FIRST, NEW, PHRASE, SECOND
from kit.readers.rekeys import NAME, authentication_key, context, point

NOTES = {
    "Normal": "As two devices do it",
    "Names": "The shortest and the longest names",
    "Keys": "How many keys, of which prefix",
    "Epoch": "Another epoch than the context has, or one that no context can have",
    "Route": "From or to another person, or of another couple",
    "Identity": "Another key of the sender, or an older key of the recipient",
    "Mac": "The MAC is made otherwise, or missing",
    "Modified": "The keybox was changed",
    "Body": "Under a MAC that holds, the body has not the form that it must have",
    "Keyset": "The keyset is none, not canonical, or has a key that may not be used",
    "Phrase": "The phrase is one that no device could have made",
}
IDENTITIES = {
    name: ecies_keys.entry(ecies_keys.scalar(f"rekey {name}"), number)
    for name, number in (("alice", 101), ("bob", 202), ("bob before", 201), ("carol", 303))
}
IDENTITY = aes_keys.binary(aes_keys.keyset(IDENTITIES["bob"], IDENTITIES["bob before"]))


def scalar_of(name: str) -> int:
    return ecies_keys.scalar(f"rekey {name}")


def public(name: str) -> str:
    return url("pub:v1:", aes_keys.binary(ecies_keys.public(aes_keys.keyset(IDENTITIES[name]))))


@dataclass(frozen=True)
class Rekey:
    """What alice seals for bob, each part of which may be another."""

    hold: Hold = Hold(1, aes_keys.keyset(NEW, FIRST))
    phrase: bytes = PHRASE.encode()
    coupleId: str = "couple_1"
    senderId: str = "alice"
    recipientId: str = "bob"
    sender: str = "alice"
    recipient: str = "bob"
    body: bytes | None = None
    key: bytes | None = None

    def case(self, label: str, **told: str) -> dict:
        """The case, in which bob may be told something else."""
        route = {"coupleId": self.coupleId, "senderId": self.senderId, "recipientId": self.recipientId}
        route["epoch"] = str(self.hold.epoch)
        key = self.key or authentication_key(scalar_of(self.sender), point(public(self.recipient)), route, is_sender=True)
        body = self.hold.body(NAME, self.phrase) if self.body is None else self.body
        sealed = body + hmac.digest(key, body, "sha256")
        box = ecies_keys.sealed(IDENTITIES[self.recipient], sealed, context(route).encode(), f"rekey {label}")
        return {"encryptedCoupleKey": url("keybox:v1:", box.ciphertext), **route, "publicKey": public("alice"), **told}

    def output(self) -> dict:
        return {"keyset": self.hold.binary(), "phrase": self.phrase.decode()}


def valid(group: Group) -> None:
    rekey, longest = Rekey(), "x" * 128
    for comment, each, flag in (
        ("two keys", rekey, "Normal"),
        ("one key", replace(rekey, hold=Hold(1, aes_keys.keyset(NEW))), "Keys"),
        ("three keys", replace(rekey, hold=Hold(2, aes_keys.keyset(NEW, FIRST, SECOND))), "Keys"),
        ("32 keys", replace(rekey, hold=Hold(3, aes_keys.keyset(NEW, *pairing_bodies.many(31)))), "Keys"),
        ("the epoch 1000", replace(rekey, hold=Hold(1000, rekey.hold.keyset)), "Epoch"),
        ("the last epoch", replace(rekey, hold=Hold(2**32 - 2, rekey.hold.keyset)), "Epoch"),
        ("the shortest names", replace(rekey, coupleId="c", senderId="a", recipientId="b"), "Names"),
        ("the longest names", replace(rekey, coupleId=longest, senderId=longest, recipientId="y" * 128), "Names"),
        ("twenty words", replace(rekey, phrase=" ".join([PHRASE] * 2).encode()), "Phrase"),
    ):
        group.valid(comment, each.case(comment), each.output(), flag)


def invalid(group: Group) -> None:
    rekey = Rekey()
    good = rekey.case("two keys")
    for name, other in (("epoch", "2"), ("epoch", "0"), ("coupleId", "couple_2"), ("senderId", "carol"), ("recipientId", "carol")):
        flag = "Epoch" if name == "epoch" else "Route"
        group.invalid(f"{name} {other}", good | {name: other}, "authFailed", flag)
    for name in ("coupleId", "senderId", "recipientId"):
        group.invalid(f"{name} is no id", good | {name: "a|b"}, "malformed", "Route")
    swapped = good | {"senderId": "bob", "recipientId": "alice"}
    group.invalid("sender and recipient swapped", swapped, "authFailed", "Route")
    group.invalid("sealed to the key that bob had before", replace(rekey, recipient="bob before").case("older"), "authFailed", "Identity")
    group.invalid("sealed to another person", replace(rekey, recipient="carol").case("carol"), "noKey", "Identity")
    group.invalid("another sender than was verified", replace(rekey, sender="carol").case("by carol"), "macInvalid", "Identity")
    group.invalid("another key was verified", good | {"publicKey": public("carol")}, "macInvalid", "Identity")
    group.invalid("bob's own key for the sender's", good | {"publicKey": public("bob")}, "macInvalid", "Identity")
    group.invalid("no public key", good | {"publicKey": "pub:v1:AA"}, "malformed", "Identity")
    for comment, key in (("a key of zeros", bytes(32)), ("no key", b"\0")):
        group.invalid(f"a MAC under {comment}", replace(rekey, key=key).case(comment), "macInvalid", "Mac")
    macs(group, rekey)
    modified(group, good)
    for comment, body in pairing_bodies.bodies(rekey.hold, NAME, b"closer-keys/v1/grant", rekey.phrase):
        group.invalid(comment, replace(rekey, body=body).case(comment), "malformed", "Body")
    other_epoch = replace(rekey.hold, epoch=2).body(NAME, rekey.phrase)
    group.invalid("another epoch in the body", replace(rekey, body=other_epoch).case("body 2"), "malformed", "Epoch")
    epoch = rekey.hold.epoch.to_bytes(4, "big")
    for comment, keyset in pairing_bodies.keysets(rekey.hold):
        case = replace(rekey, body=pairing_bodies.lp(NAME, epoch, keyset, rekey.phrase)).case(comment)
        # Unlike a pairing's, the keyset may have disabled keys.
        if comment == "a disabled key":
            group.valid(comment, case, {"keyset": keyset, "phrase": PHRASE}, "Keyset")
        else:
            group.invalid(comment, case, "limit" if comment == "33 keys" else "malformed", "Keyset")
    for comment, phrase in pairing_bodies.phrases():
        case = replace(rekey, phrase=phrase).case(f"phrase {comment}")
        group.invalid(f"the phrase is {comment}", case, "phraseRefused", "Phrase")


def macs(group: Group, rekey: Rekey) -> None:
    """The box is as it should be, and the MAC in it is not."""
    route = {"coupleId": "couple_1", "senderId": "alice", "recipientId": "bob", "epoch": "1"}
    body = rekey.hold.body(NAME, rekey.phrase)
    theirs = point(public("bob"))
    keys = {
        "the points in the other order": authentication_key(scalar_of("alice"), theirs, route, is_sender=False),
        "another couple": authentication_key(scalar_of("alice"), theirs, route | {"coupleId": "couple_2"}, is_sender=True),
    }
    for comment, key in keys.items():
        group.invalid(f"a MAC for {comment}", replace(rekey, key=key).case(comment), "macInvalid", "Mac")
    for comment, content in (("no MAC", body), ("31 bytes", bytes(31)), ("a MAC of zeros", body + bytes(32)), ("nothing", b"")):
        box = ecies_keys.sealed(IDENTITIES["bob"], content, context(route).encode(), f"rekey {comment}")
        case = rekey.case(comment) | {"encryptedCoupleKey": url("keybox:v1:", box.ciphertext)}
        group.invalid(comment, case, "macInvalid", "Mac")


def modified(group: Group, good: dict) -> None:
    box = content_of(good["encryptedCoupleKey"])
    for comment, place, error in (
        ("the prefix", 4, "noKey"),
        ("the ephemeral key", 69, "authFailed"),
        ("the nonce", 70, "authFailed"),
        ("the first byte of the ciphertext", 82, "authFailed"),
        ("the tag", len(box) - 1, "authFailed"),
    ):
        other = bytearray(box)
        other[place] ^= 1
        case = good | {"encryptedCoupleKey": url("keybox:v1:", bytes(other))}
        group.invalid(f"{comment} changed", case, error, "Modified")
    group.invalid("a byte more", good | {"encryptedCoupleKey": url("keybox:v1:", box + b"\0")}, "authFailed", "Modified")
    group.invalid("padded", good | {"encryptedCoupleKey": good["encryptedCoupleKey"] + "="}, "malformed", "Modified")


def main() -> None:
    file = VectorFile("rekey", "Rekey: a couple's new key for the partner", NOTES)
    group = file.group("rekey.open", "tink", identityKeyset=IDENTITY)
    valid(group)
    invalid(group)
    file.write()


main()
