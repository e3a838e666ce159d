"""The lines to re-encrypt: fields under the old keyset, and among them some that must fail."""

import json
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

COUPLE = "couple_1"
OF_EACH_KIND = 25
SECRET = "not for Spark"
FORGED = "written by a stranger"


@dataclass
class Fields:
    """What Spark gets, and what must come of each line: this record, once opened, or an error of this code."""

    lines: list[bytes]
    records: list[bytes]
    codes: dict[int, str] = field(default_factory=dict)
    kinds: dict[int, str] = field(default_factory=dict)


def made(program: Path, folder: Path, count: int, draw: random.Random) -> Fields:
    """Makes the three keysets in `folder`, seals `count` records, and plants what must fail."""
    for name in ("old", "new", "strange"):
        arguments = ["keyset", "new", "--type", "aes256-gcm", "-o", folder / f"{name}.keyset"]
        subprocess.run([program, *arguments], check=True)

    def sealed(records: list[bytes], keyset: str = "old", couple: str = COUPLE) -> list[bytes]:
        return filtered(program, "seal", folder / f"{keyset}.keyset", couple, records)

    records = [_record(index, draw) for index in range(count)]
    fields = Fields(sealed(records), records)
    kinds = _kinds(sealed)
    places = iter(draw.sample(range(count), len(kinds) * OF_EACH_KIND))
    for title, (code, fault) in kinds.items():
        for place in (next(places) for _ in range(2 if code == "limit" else OF_EACH_KIND)):
            fields.lines[place] = fault(fields.lines[place], records[place])
            fields.codes[place], fields.kinds[place] = code, title
    return fields


def filtered(program: Path, verb: str, keyset: Path, couple: str, lines: list[bytes]) -> list[bytes]:
    """What `field seal` or `field open` makes of the lines. Exit code 9 is no surprise here."""
    command = [program, "field", verb, "--jsonl", "--quiet", "--keyset-file", keyset, "--couple", couple]
    ended = subprocess.run(command, input=b"".join(line + b"\n" for line in lines), capture_output=True)
    if ended.returncode not in (0, 9):
        raise SystemExit(f"field {verb} exits with {ended.returncode}")
    return ended.stdout.split(b"\n")[:-1]


def _record(index: int, draw: random.Random) -> bytes:
    """Some plaintexts are empty, some not ASCII, some not text; and members around them that nobody may touch."""
    texts = ("", f"{SECRET} {index}", f"{SECRET}: \"ein Gruß\" ❤\n{index}", SECRET + " " + "x" * draw.randrange(200))
    member = {"plaintext": draw.choice(texts)} if index % 10 else {"plaintextBase64": "/wD+" * draw.randrange(1, 9)}
    text = json.dumps({"id": index, **member}, ensure_ascii=False, separators=(",", ":"))
    return (text[:-1] + r',"at":1.50,"who":["\u00e4","ä"],"error":null}').encode()


def _kinds(sealed: Callable[..., list[bytes]]) -> dict[str, tuple[str, Callable[[bytes, bytes], bytes]]]:
    """Each way to fail: the code of its error, and how it is made of a sealed line and its record."""
    forged = json.dumps({"id": 1, "plaintext": FORGED}).encode()
    passed_on = json.dumps({"line": 1, "error": {}, "plaintext": FORGED}).encode()
    return {
        "a changed byte": ("authFailed", lambda line, _: _changed(line)),
        "another couple": ("authFailed", lambda _, record: sealed([record], couple="couple_2")[0]),
        "another key": ("noKey", lambda _, record: sealed([record], keyset="strange")[0]),
        "half a line": ("malformed", lambda line, _: line[: len(line) // 2]),
        "an empty line": ("malformed", lambda *_: b""),
        "a plaintext without a token": ("malformed", lambda *_: forged),
        "a plaintext and an error": ("malformed", lambda *_: passed_on),
        "a line over the limit": ("limit", lambda line, _: line[:-1] + b',"more":"' + b"x" * (2 << 20) + b'"}'),
    }


def _changed(line: bytes) -> bytes:
    """Behind the id of the key, which is in the first characters of the token."""
    place = line.index(b"enc:v1:") + 30
    return line[:place] + (b"B" if line[place : place + 1] == b"A" else b"A") + line[place + 1 :]
