"""Makes v1/cpace.json: CPace without what a pairing puts into it (closer-keys-pairing(7), KEYS).

The draft's own values, then values of libsodium and ge25519, which must agree.
"""

import json

from kit import FOLDER, cpace
from kit.frame import Group, VectorFile
from kit.readers import verdict
from kit.stream import stream

NOTES = {
    "Draft": "The draft's own values",
    "Normal": "As a pairing has it: a password of six symbols, a session of 16 bytes",
    "Padding": "The zeros fill up the first block of SHA-512; a password that fills it has none",
    "Length": "Lengths are LEB128: from 128 bytes on they have two bytes, from 16,384 on three",
    "Role": "The initiator's share comes first in the key, whoever computes it",
    "Scalar": "The first and the last scalar; 0, and what is not below the order",
    "Share": "An encoding that is not canonical, not an element, or the identity; or not 32 bytes",
}
DRAFT = json.loads((FOLDER / "pairing.json").read_text())["draft"]
PASSWORD, CHANNEL, SESSION = b"4T0HC9", stream("cpace channel", 60), stream("cpace session", 16)


def scalar(label: str) -> bytes:
    return (int.from_bytes(stream(f"cpace scalar {label}", 64), "little") % cpace.ORDER).to_bytes(
        32, "little"
    )


def encoded(number: int) -> bytes:
    return number.to_bytes(32, "little")


def agrees(group: Group, comment: str, case: dict, *flags: str, expected: dict | None = None) -> dict:
    written = {name: value.hex() if isinstance(value, bytes) else value for name, value in case.items()}
    output = expected or verdict("cpace.agree", written)
    shared = cpace.product(case["scalar"], case["peerShare"])
    return group.valid(comment, case, output, *flags, trace={"sharedSecret": shared})


def of_draft(file: VectorFile) -> None:
    value = {
        name.removesuffix("Hex"): bytes.fromhex(text)
        for name, text in DRAFT.items()
        if isinstance(text, str) and name != "source"
    }
    said = {"password": value["PRS"], "channel": value["CI"], "session": value["sid"]}
    group = file.group("cpace.generator", "draft-irtf-cfrg-cpace")
    group.valid("the draft's", said, {"generator": value["g"]}, "Draft")
    group = file.group("cpace.agree", "draft-irtf-cfrg-cpace")
    for role, ours, theirs in (("initiator", "a", "b"), ("responder", "b", "a")):
        case = {"role": role, **said, "scalar": value[f"y{ours}"], "associatedData": value[f"AD{ours}"]}
        case |= {"peerShare": value[f"Y{theirs}"], "peerAssociatedData": value[f"AD{theirs}"]}
        expected = {"share": value[f"Y{ours}"], "sessionKey": value["ISK_IR"]}
        agrees(group, f"the draft's {role}", case, "Draft", expected=expected)
    for encoding in DRAFT["invalidSharesHex"]:
        group.invalid(
            f"the draft's {encoding[:8]}", case | {"peerShare": encoding}, "malformed", "Draft", "Share"
        )


def generators(group: Group) -> None:
    def generates(comment: str, said: dict, *flags: str) -> None:
        group.valid(comment, said, {"generator": cpace.generator(*said.values())}, *flags)

    good = {"password": PASSWORD, "channel": CHANNEL, "session": SESSION}
    generates("a password of six symbols", good, "Normal")
    for count in (0, 1, 12, 106, 107, 108, 109, 127, 128, 300):
        said = good | {"password": stream("cpace password", count)}
        generates(f"a password of {count} bytes", said, "Length" if count > 126 else "Padding")
    for name, counts in (("channel", (0, 1, 127, 128, 16383, 16384)), ("session", (0, 1, 127, 128))):
        for count in counts:
            generates(f"a {name} of {count} bytes", good | {name: stream(name, count)}, "Length")
    generates(
        "a byte of the session in the channel",
        good | {"channel": CHANNEL + SESSION[:1], "session": SESSION[1:]},
        "Normal",
    )


def agreements(group: Group) -> dict:
    point = cpace.generator(PASSWORD, CHANNEL, SESSION)
    said = {"password": PASSWORD, "channel": CHANNEL, "session": SESSION}
    shares = {name: cpace.product(scalar(name), point) for name in "ab"}
    data = {name: stream(f"cpace data {name}", 240) for name in "ab"}
    for role, ours, theirs in (("responder", "b", "a"), ("initiator", "a", "b")):
        case = {"role": role, **said, "scalar": scalar(ours), "associatedData": data[ours]}
        case |= {"peerShare": shares[theirs], "peerAssociatedData": data[theirs]}
        agrees(group, f"the {role}", case, "Normal", "Role")
    agrees(group, "the peer has the same share", case | {"peerShare": shares["a"]}, "Role")
    agrees(group, "the initiator, as a responder", case | {"role": "responder"}, "Role")
    agrees(
        group,
        "associated data exchanged",
        case | {"associatedData": data["b"], "peerAssociatedData": data["a"]},
        "Role",
    )
    other = cpace.product(scalar("c"), cpace.generator(b"4T0HC8", CHANNEL, SESSION))
    agrees(
        group,
        "the peer had another password, which only a proof can show",
        case | {"peerShare": other},
        "Normal",
    )
    for name in ("associatedData", "peerAssociatedData"):
        for count in (0, 1, 127, 128, 300, 16384):
            agrees(group, f"{name} of {count} bytes", case | {name: stream(name, count)}, "Length")
    for count in (0, 127, 128):
        agrees(group, f"a session of {count} bytes", case | {"session": stream("s", count)}, "Length")
    for number, name in ((1, "1"), (2, "2"), (cpace.ORDER - 1, "the order less 1")):
        agrees(group, f"the scalar is {name}", case | {"scalar": encoded(number)}, "Scalar")
    return case


def refusals(group: Group, case: dict) -> None:
    share = int.from_bytes(case["peerShare"], "little")
    encodings = {
        "the identity": 0,
        "bit 255": share | 1 << 255,
        "the identity with bit 255": 1 << 255,
        "negative": cpace.P - share,
        "p, which is the identity": cpace.P,
        "above p": cpace.P + 2,
        "far above p": 2**255 - 1,
        "all bits": 2**256 - 1,
        "1, which is no element": 1,
        "p less 1": cpace.P - 1,
    }
    for name, number in encodings.items():
        group.invalid(f"the share is {name}", case | {"peerShare": encoded(number)}, "malformed", "Share")
    found = 0
    for index in range(30):
        encoding = bytearray(stream(f"cpace no element {index}", 32))
        encoding[0] &= 0xFE
        encoding[31] &= 0x7F
        if found < 8 and not cpace.is_element(bytes(encoding)):
            found += 1
            group.invalid(
                f"the share is no element, {found}",
                case | {"peerShare": bytes(encoding)},
                "malformed",
                "Share",
            )
    whole = case["peerShare"]
    for comment, content in (
        ("empty", b""),
        ("31 bytes", whole[:31]),
        ("33 bytes", whole + b"\0"),
        ("64 bytes", whole * 2),
    ):
        group.invalid(f"the share is {comment}", case | {"peerShare": content}, "malformed", "Share")
    for number, name in (
        (0, "0"),
        (cpace.ORDER, "the order"),
        (cpace.ORDER + 1, "the order and 1"),
        (2**255 - 1, "255 bits"),
        (2**256 - 1, "256 bits"),
    ):
        group.invalid(f"the scalar is {name}", case | {"scalar": encoded(number)}, "malformed", "Scalar")
    for count in (0, 31):
        group.invalid(
            f"the scalar has {count} bytes", case | {"scalar": case["scalar"][:count]}, "malformed", "Scalar"
        )
    group.invalid("the scalar has 33 bytes", case | {"scalar": case["scalar"] + b"\0"}, "malformed", "Scalar")


def main() -> None:
    file = VectorFile("cpace", "CPace, CPACE-RISTR255-SHA512", NOTES)
    of_draft(file)
    generators(file.group("cpace.generator", "ge25519"))
    group = file.group("cpace.agree", "ge25519")
    refusals(group, agreements(group))
    file.write()


main()
