"""Makes link.json: links that bring a vault's key to another device (closer-keys-formats(7), LINK), by pyca/cryptography.

Inputs come from a fixed stream, so the file is the same every time. The partner of `make check-interop` seals each link, and its
reader, which shares the derivation alone, says what each case gives.
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterator

from kit import FOLDER

from checks import Refused
from partner import link
from partner.encoding import length_prefixed
from partner.habits import CODE_LETTERS

USERS = ["alice", "b", "carol@example.org", "dave+1:x_y-z.9", "e" * 128]
COUNTS = [1, 2, 255, 256, 2**32, 2**53 - 1]
NOTE = (
    "Links of closer-keys-formats(7), LINK. Each document opens with the code as it is typed, to the members beside it, or is refused. "
    "`ivHex` is what the box of a document in closer-keys's own spelling was sealed with. Made with pyca/cryptography."
)


def stream(label: str, count: int) -> bytes:
    return hashlib.shake_256(f"link {label}".encode()).digest(count)


def code(label: str) -> str:
    return "".join(CODE_LETTERS[byte & 31] for byte in stream(f"{label} code", link.SYMBOLS))


def a_link(label: str, user: str = "alice", changes: int = 7) -> link.Link:
    return link.Link(stream(f"{label} id", 16), user, stream(f"{label} key", 32), changes, stream(f"{label} digest", 32))


def sealed() -> Iterator[dict]:
    """In the spelling that closer-keys writes: sealed again under the same iv, each is the same document."""
    for user in USERS:
        yield own(f"of the user {user[:20]}", a_link(user, user))
    for changes in COUNTS:
        yield own(f"of a vault after {changes} changes", a_link(str(changes), changes=changes))
    yield own("with a key of zeros", dataclasses.replace(a_link("zeros"), key=bytes(32)))
    yield own("under a code of one symbol", a_link("0"), "0" * link.SYMBOLS)


def own(name: str, what: link.Link, symbols: str | None = None) -> dict:
    symbols, iv = symbols or code(name), stream(f"{name} iv", 12)
    return case(name, link.document(what, symbols, iv), link.shown(symbols)) | {"ivHex": iv.hex()}


WHAT, CODE, IV = a_link("typed"), code("typed"), stream("typed iv", 12)
DOCUMENT = link.document(WHAT, CODE, IV)


def typed() -> Iterator[dict]:
    shown = link.shown(CODE)
    yield case("a code without hyphens, as in a QR code", DOCUMENT, CODE)
    yield case("a code in lower case", DOCUMENT, shown.lower())
    yield case("a code with dashes, spaces and a line end", DOCUMENT, f" {shown.replace('-', chr(0x2013))}\r\n".replace("\u2013", " \u2013\u00a0"))
    yield case("a code with letters that look alike", DOCUMENT, shown.replace("0", "o").replace("1", "l").replace("V", "u"))
    yield case("a code with another symbol at its end", DOCUMENT, CODE[:-1] + ("0" if CODE[-1] != "0" else "2"))
    yield case("a code with another symbol in front", DOCUMENT, ("0" if CODE[0] != "0" else "2") + CODE[1:])
    yield case("the code of another link", DOCUMENT, code("another"))
    yield case("a code that lacks a symbol", DOCUMENT, CODE[:-1])
    yield case("a code with a symbol too many", DOCUMENT, CODE + "0")
    yield case("a code with an underscore", DOCUMENT, CODE[:-1] + "_")


def documents() -> Iterator[dict]:
    """The same link in other spellings, and what is none."""
    members = json.loads(DOCUMENT)

    def of(**others: object) -> str:
        return json.dumps({name: value for name, value in (members | others).items() if value is not None})

    yield case("members in another order, with spaces and one that is new", of(made="today")[:-1] + " }\n", CODE)
    yield case("of another vault", of(vault=stream("another id", 16).hex()), CODE)
    yield case("of another user", of(userId="bob"), CODE)
    yield case("of no user that can be", of(userId="a|b"), CODE)
    yield case("without its user", of(userId=None), CODE)
    yield case("with an id in upper case", of(vault=members["vault"].upper()), CODE)
    yield case("with an id that is too short", of(vault=members["vault"][:-2]), CODE)
    yield case("with a token of another version", of(link="link:v2:" + members["link"][8:]), CODE)
    yield case("with a token that lacks its end", of(link=members["link"][:-4]), CODE)
    yield case("with a token that goes on", of(link=members["link"] + "AAAA"), CODE)
    yield case("with a name that stands there twice", DOCUMENT[:-1] + ',"userId":"alice"}', CODE)
    yield case("with a text behind it", DOCUMENT + "x", CODE)


def contents() -> Iterator[dict]:
    """Authentic, but not in the form of a link: by a maker who has the code."""
    for name, content in {
        "another label": length_prefixed(b"lynk", *_parts()),
        "lengths that shift": length_prefixed(b"link", WHAT.key[:31], WHAT.key[31:] + _parts()[1], WHAT.digest),
        "a count of none": dataclasses.replace(WHAT, changes=0).content,
        "a count that is too great": dataclasses.replace(WHAT, changes=2**53).content,
        "zeros": bytes(92),
    }.items():
        yield case(f"authentic, with {name}", link.document(WHAT, CODE, IV, content), CODE)


def _parts() -> tuple[bytes, bytes, bytes]:
    return WHAT.key, WHAT.changes.to_bytes(8, "big"), WHAT.digest


def case(name: str, document: str, typed: str) -> dict:
    made = {"name": name, "document": document, "typed": typed}
    try:
        what = link.opened(document, typed)
    except Refused as refusal:
        return made | {"error": refusal.code}
    return made | {
        "vault": what.vault.hex(), "userId": what.user, "keyHex": what.key.hex(), "changes": what.changes,
        "digestHex": what.digest.hex(),
    }


def main() -> None:
    cases = [*sealed(), *typed(), *documents(), *contents()]
    assert len(cases) == 40, len(cases)
    (FOLDER / "link.json").write_text(json.dumps({"note": NOTE, "links": cases}, indent=1) + "\n")


main()
