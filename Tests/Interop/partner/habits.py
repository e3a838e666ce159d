"""How clients may differ and still keep to the formats: what a reader must take, whoever wrote it."""

import base64
import string
from dataclasses import dataclass
from random import Random

from tink.proto import tink_pb2

import keysets
from draw import Draw
from partner import wrap
from partner.couple_key import new_keyset

CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

COSTS = {
    "canonical": wrap.COSTS,
    "spaced": '{ "v": 19, "alg": "argon2id", "m": 46080, "t": 3, "p": 1 }',
    "long names": '{"alg":"argon2id","memoryKiB":46080,"iterations":3,"parallelism":1,"v":19}',
    "memory": '{"alg":"argon2id","memory":46080,"iterations":3,"parallelism":1,"v":19}',
    "phc": "argon2id$v=19$m=46080,t=3,p=1",
}

BASE64 = {
    "standard": lambda box: base64.b64encode(box).decode(),
    "unpadded": lambda box: base64.b64encode(box).decode().rstrip("="),
    "url": lambda box: base64.urlsafe_b64encode(box).decode(),
    "url unpadded": lambda box: base64.urlsafe_b64encode(box).decode().rstrip("="),
}

# The last two are of other clients: words with more than ASCII, and a text that is not in its normal form.
PHRASES = {
    "ten words": lambda draw: " ".join(_word(draw, string.ascii_lowercase) for _ in range(10)),
    "more words": lambda draw: " ".join(_word(draw, string.ascii_lowercase) for _ in range(draw.randint(11, 20))),
    "other words": lambda draw: " ".join(_word(draw, "abcéßжñ日") for _ in range(draw.randint(1, 12))),
    "verbatim": lambda draw: "  ".join(_word(draw, string.ascii_letters) + "-Z" for _ in range(3)),
}

TYPED = {
    "as it is": lambda phrase: phrase,
    "shouted": lambda phrase: "\t" + "".join(_upper(letter) for letter in phrase) + "  ",
    "hyphens": lambda phrase: phrase.replace(" ", "-"),
    "no-break": lambda phrase: phrase.replace(" ", " \u00a0\t"),
    "lines": lambda phrase: phrase.replace(" ", "\r\n") + "\n",
}

KEYSETS = ("one key", "small id", "rotated")
CODES = {"upper": CODE_LETTERS, "lower": string.ascii_lowercase + string.digits}


@dataclass(frozen=True)
class Habits:
    """How a partner's client writes what it makes."""

    costs: str = "canonical"
    base64: str = "standard"
    content: str = "binary"
    phrase: str = "ten words"
    keyset: str = "one key"
    letters: str = "upper"
    integers: str = "33"
    has_extras: bool = False

    def new_couple_keyset(self, draw: Draw) -> tink_pb2.Keyset:
        """A small id makes a shorter keyset, and so other padding; a rotated one has older keys, too."""
        keyset = new_keyset(draw.key_id(lambda: draw.randint(1, 300)) if self.keyset == "small id" else None)
        for _ in range(draw.randint(1, 3) if self.keyset == "rotated" else 0):
            older = keysets.new_entry(draw, keysets.new_aes_key(draw), keyset)
            keyset.key.insert(draw.randint(0, len(keyset.key)), older)
        return keyset

    def new_phrase(self, draw: Random) -> str:
        return PHRASES[self.phrase](draw)

    def new_code(self, draw: Random) -> str:
        return "".join(draw.choices(CODES[self.letters], k=6))

    def spelled(self, members: dict[str, str]) -> dict[str, str]:
        """The wrap's members, in this client's spelling."""
        box = base64.b64decode(members["wrappedCoupleKey"])
        return members | {"wrappedCoupleKey": BASE64[self.base64](box), "kdfParams": COSTS[self.costs]}

    def with_extras(self, members: dict) -> dict:
        """Members that other systems know of."""
        extras = {"createdAt": {"_seconds": 1763600000, "_nanoseconds": 0}, "naïve": None, "v": [1.5, {}]}
        return extras | members if self.has_extras else members


ORDINARY = Habits()


def _word(draw: Random, letters: str) -> str:
    return "".join(draw.choices(letters, k=draw.randint(3, 8)))


def _upper(letter: str) -> str:
    return letter.upper() if letter in string.ascii_lowercase else letter
