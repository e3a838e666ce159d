"""The closer-keys binary as one case sees it: with a folder of its own, and a record of all that was said."""

import base64
import json
import os
import re
import subprocess
from pathlib import Path

from checks import Mismatch, Refusal

REFUSALS = (3, 4, 5)  # authFailed, noKey, malformed

# The rules of the apps' server refuse shorter tokens.
KEYBOX_TOKEN_MINIMUM = len("keybox:v1:") + 120


class Program:
    """Runs the binary. A result is its standard output; any exit but 0 is an exception."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder
        self.record: list[str] = []

    def seal_field(self, keyset: bytes, couple: str, plaintext: bytes) -> bytes:
        arguments = ["--keyset-file", self.file("keyset", keyset), *_option("--couple", couple)]
        token = self.run("field", "seal", *arguments, stdin=plaintext)
        return base64.b64decode(_payload(rb"enc:v1:([A-Za-z0-9+/]+={0,2})\n", token), validate=True)

    def open_field(self, keyset: bytes, couple: str, box: bytes) -> bytes:
        arguments = ["--keyset-file", self.file("keyset", keyset), *_option("--couple", couple)]
        return self.run("field", "open", *arguments, stdin=b"enc:v1:" + base64.b64encode(box))

    def seal_box(self, public: bytes, context: str, plaintext: bytes, form: str = "binary") -> bytes:
        """Seals to a public keyset or a `pub:v1:` token; `form` is `binary` or `token`."""
        arguments = ["--to", self.file("public", public), *_option("--context", context)]
        box = self.run("keybox", "seal", *arguments, "--format", form, stdin=plaintext)
        return box if form == "binary" else token_payload("keybox", box)

    def open_box(self, keyset: bytes, context: str, box: bytes, form: str = "binary") -> bytes:
        arguments = ["--keyset-file", self.file("keyset", keyset), *_option("--context", context)]
        stdin = box if form == "binary" else token("keybox", box)
        return self.run("keybox", "open", *arguments, stdin=stdin)

    def new_keyset(self, *options: str) -> bytes:
        return self.run("keyset", "new", *options)

    def keyset(self, verb: str, content: bytes, *options: str) -> bytes:
        """`add`, `rotate`, `set STATUS`, `convert`, `public` or `list`: gives back what the program writes."""
        return self.run("keyset", *verb.split(), self.file("keyset", content), *options)

    def list_keyset(self, content: bytes) -> dict:
        return json.loads(self.keyset("list", content, "--json"))

    def file(self, name: str, content: bytes) -> str:
        """Puts a file into the case's folder, which is where the program runs."""
        (self.folder / name).write_bytes(content)
        self.record.append(f"{name}: {content.hex()}")
        return name

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        ended = self.call(*arguments, stdin=stdin)
        if ended.returncode == 0:
            return ended.stdout
        failure = Refusal if ended.returncode in REFUSALS else Mismatch
        raise failure(f"closer-keys ended with {ended.returncode}: {ended.stderr.decode(errors='replace')}")

    def call(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Gives the process back whatever its exit status is."""
        # As UTF-8 whatever the locale is: a context is bytes to Tink.
        command = [str(self.path).encode(), *(argument.encode() for argument in arguments)]
        # What is remembered of the case's vaults goes with its folder.
        environment = os.environ | {"XDG_STATE_HOME": str(self.folder)}
        ended = subprocess.run(command, input=stdin, capture_output=True, cwd=self.folder, timeout=60, env=environment)
        self.record.append(f"closer-keys {ascii(arguments)}, stdin: {stdin.hex()}")
        self.record.append(f"exit {ended.returncode}, stdout: {ended.stdout.hex()}")
        return ended


def token(kind: str, payload: bytes) -> bytes:
    """`keybox:v1:` or `pub:v1:` and unpadded base64url."""
    return f"{kind}:v1:".encode() + base64.urlsafe_b64encode(payload).rstrip(b"=")


def token_payload(kind: str, line: bytes) -> bytes:
    text = _payload(rf"{kind}:v1:([A-Za-z0-9_-]+)\n".encode(), line)
    return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))


def _payload(pattern: bytes, line: bytes) -> bytes:
    """What the group of the pattern matches; a token has exactly one spelling."""
    match = re.fullmatch(pattern, line)
    if match is None:
        raise Mismatch(f"not a token: {line!r}")
    return match[1]


def _option(name: str, value: str) -> list[str]:
    """Joins them with `=`, since a value may begin with `-`. An empty value must be a word of its own."""
    return [f"{name}={value}"] if value else [name, value]
