"""What the cases of both steps of a pairing have in common."""

from dataclasses import replace

from tink.proto import ecies_aead_hkdf_pb2

from kit import cpace, pairing_faults
from kit.changes import flipped, respelled_url
from kit.frame import Group
from kit.pairing import Party
from kit.pairing_scene import Scene, respelled
from kit.readers import keyset_files, pairings, tink_boxes
from kit.x25519_keys import LOW_ORDER, OTHER_SPELLINGS, bytes_of
from partner.encoding import standard, url

SCENE = Scene()
P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


def gives(group: Group, comment: str, case: dict, *flags: str) -> None:
    """The reader's own answer, which is held against everything that the case was made from."""
    written = {name: value.hex() if isinstance(value, bytes) else value for name, value in case.items()}
    if group.operation == "pairing.confirm":
        group.valid(
            comment, case, pairings.confirm(written), *flags, trace=pairings.judged(written)[1].trace()
        )
    else:
        group.valid(comment, case, pairings.finish(written), *flags, trace=pairings.answered(written).trace())


def derived_otherwise(group: Group, case_of, error: str) -> None:
    """`case_of` makes the case from a kind of pairing."""
    tables = (
        ("SessionKey", pairing_faults.session_keys()),
        ("AssociatedData", pairing_faults.data()),
        ("Transcript", pairing_faults.transcripts()),
        ("DerivedKey", pairing_faults.keys()),
    )
    for flag, table in tables:
        for comment, kind in table:
            group.invalid(comment, case_of(kind), error, flag)


def sealed_otherwise(group: Group, label: str, other: str, body: bytes, case_of) -> None:
    for comment, box in pairing_faults.boxes(SCENE.pairing(), label, other, body):
        group.invalid(comment, case_of(box), "malformed", "Sealed")


def narrow_party(party: Party) -> Party:
    keyset = keyset_files.written_again(tink_boxes.public_keyset(party.public_key))[1]
    return replace(party, public_key="pub:v1:" + url(keyset))


def negative(public_key: str) -> str:
    """The same x, and p − y: whoever has one private key has the other."""
    keyset = tink_boxes.public_keyset(public_key)
    key = ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey.FromString(keyset.key[0].key_data.value)
    key.y = (P256 - int.from_bytes(key.y, "big")).to_bytes(33, "big")
    keyset.key[0].key_data.value = key.SerializeToString(deterministic=True)
    return "pub:v1:" + url(keyset.SerializeToString(deterministic=True))


def people():
    named = [("a", "b", "c"), ("x" * 128, "y" * 128, "z" * 128), ("A.b_c-d:e@f+g", "0", "couple_1")]
    named += [("bob", "alice", "couple_1"), ("alice", "alice.", "couple_1"), ("alice", "Alice", "couple_1")]
    for one, other, couple in named:
        inviter, acceptor = replace(SCENE.inviter, user=one), replace(SCENE.acceptor, user=other)
        comment = f"{one[:20]} and {other[:20]}, {couple[:20]}"
        yield comment, SCENE.but(inviter=inviter, acceptor=acceptor, couple=couple)
    for lookup, secret in (("000000", "ZZZZZZ"), ("ZZZZZZ", "000000"), ("ABCDEF", "ABCDEF")):
        yield f"the code {lookup}-{secret}", SCENE.but(lookup=lookup, secret=secret)


def shares(good: bytes):
    number = int.from_bytes(good, "little")
    values = {"the identity": 0, "with bit 255": number | 1 << 255, "the identity with bit 255": 1 << 255}
    values |= {"negative": cpace.P - number, "p": cpace.P, "p and 2": cpace.P + 2, "all bits": 2**256 - 1}
    for comment, value in values.items():
        yield comment, value.to_bytes(32, "little")
    yield (
        "no element",
        next(
            each for each in (flipped(good, place, 1) for place in range(1, 31)) if not cpace.is_element(each)
        ),
    )


def documents(text: str, token: str):
    """A document in which one thing has not its form."""
    changes = [
        ("purpose", "device"),
        ("purpose", "Couple"),
        ("lookup", "qzv8rd"),
        ("lookup", "QZV8RO"),
        ("lookup", "QZV8R"),
    ]
    if token != "grant":
        changes += [("userId", ""), ("userId", "a|b"), ("publicKey", "pub:v1:AAAA"), ("x25519PublicKey", "")]
        changes += [("x25519PublicKey", standard(bytes_of(LOW_ORDER["of order 8"])))]
        changes += [("x25519PublicKey", standard(bytes_of(number))) for number in OTHER_SPELLINGS.values()]
    for name, value in changes:
        yield f"{name} {value[:12]!r}{value[40:]}", respelled(text, lambda members, at=name, to=value: members | {at: to})
    for name in ("lookup", "purpose", token):
        yield (
            f"no {name}",
            respelled(text, lambda members, at=name: {key: members[key] for key in members if key != at}),
        )
    good = respelled(text, lambda members: {"token": members[token]})[len('{"token":"') : -2]
    content = good.removeprefix(f"{token}:v1:")
    others = [(f"the token: {comment}", f"{token}:v1:{other}") for comment, other in spellings(content)]
    others += [("the token without its name", content), ("the token's next version", f"{token}:v2:{content}")]
    for comment, other in others:
        yield comment, respelled(text, lambda members, to=other: members | {token: to})
    yield "cut off", text[:-1]
    yield "twice", text + text
    yield "an array", f"[{text}]"


def spellings(content: str):
    if len(content) % 4:
        yield from respelled_url(content)
    else:
        yield "with padding", content + "="
        yield "a letter of the other alphabet", "+" + content[1:]
        yield "a letter more", content + "A"


def scalars(good: bytes):
    for comment, number in (("0", 0), ("the order", cpace.ORDER), ("256 bits", 2**256 - 1)):
        yield f"the scalar is {comment}", number.to_bytes(32, "little")
    yield "the scalar has 31 bytes", good[:31]
    yield "the scalar has 33 bytes", good + b"\0"
