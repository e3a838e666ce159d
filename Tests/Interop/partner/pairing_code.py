"""The code that one person tells another: closer-keys-pairing(7), THE CODE."""

import re
from dataclasses import dataclass
from random import Random

from checks import Refused
from partner.habits import CODE_LETTERS

DROPPED = re.compile("[ \t\r\n\u00a0\u2010-\u2015\u2212-]")
READ_AS = str.maketrans("OILU", "011V")


@dataclass(frozen=True)
class PairingCode:
    """The first half finds the invite; the second is the password."""

    lookup: str
    secret: str

    def __str__(self) -> str:
        return f"{self.lookup}-{self.secret}"


def new_code(draw: Random) -> PairingCode:
    return read(typed="".join(draw.choices(CODE_LETTERS, k=12)))


def read(typed: str) -> PairingCode:
    kept = DROPPED.sub("", typed)
    symbols = re.sub("[a-z]", lambda letter: letter[0].upper(), kept).translate(READ_AS)
    if len(symbols) != 12 or not set(symbols) <= set(CODE_LETTERS):
        raise Refused("malformed")
    return PairingCode(symbols[:6], symbols[6:])


# How people type it.
TYPED = {
    "as it is": str,
    "lower": lambda code: str(code).lower(),
    "letters for digits": lambda code: str(code).translate(str.maketrans("01V", "oLu")),
    "one word": lambda code: code.lookup + code.secret,
    "dashes": lambda code: f" {code.lookup} – {code.secret[:3]}−{code.secret[3:]}\r\n",
    "spaces": lambda code: "\u00a0".join(str(code)) + "\t",
}
