"""The two sides of a case: closer-keys with a key in a file or in a vault, and the partner in Python."""

import base64
from dataclasses import dataclass

import texts
from checks import same
from draw import Draw
from partner.chat import Side, decode, encode
from program import Program


@dataclass
class Pair:
    """Who talks to whom. `options` name closer-keys' own key, and `public` is its public half."""

    ours: Program
    theirs: Side
    public: bytes
    options: list[str]
    user: str
    kind: str

    def call(self, *arguments: str, stdin: bytes = b"", peer: bytes | None = None) -> bytes:
        return self.ours.run(*arguments, *self.options, *self.peer(peer), stdin=stdin)

    def peer(self, key: bytes | None = None) -> list[str]:
        return ["--peer-key", encode(self.theirs.public if key is None else key)]


def new_pair(draw: Draw, ours: Program) -> Pair:
    """A vault makes its own key; a file may hold one of Python's or one that `x25519 new` made."""
    theirs, user = Side(draw.randbytes(32)), identifier(draw)
    kind = draw.turn("key", ("of python", "made here", "vault"))
    if kind == "vault":
        options = ["--vault", "vault.db"]
        ours.run("device", "init", *options, "--key-file", "vault.key", *option("--user", user))
    else:
        options = ["--private-key-file", "ours.x25519"]
        text = encode(draw.randbytes(32)).encode() if kind == "of python" else ours.run("x25519", "new")
        ours.file("ours.x25519", text + b"\n" * draw.randrange(2))
    public = decode(ours.run("x25519", "public", *options).removesuffix(b"\n"))
    if kind != "vault":
        private = base64.b64decode(text)
        same("public key", Side(private).public, public)
    return Pair(ours, theirs, public, options, user, kind)


def identifier(draw: Draw, most: int = 60) -> str:
    return "".join(draw.choices(texts.IDENTIFIER, k=draw.randint(1, most)))


def option(name: str, value: str) -> list[str]:
    """Name and value as two words, since a value may be empty or begin with a mark that would combine with `=`.

    They are one word if the value begins with `-`.
    """
    return [f"{name}={value}"] if value.startswith("-") else [name, value]
