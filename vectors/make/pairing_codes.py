"""Makes v1/pairing_code.json: how people type the code of a pairing (closer-keys-pairing(7), THE CODE)."""

import json

from kit import FOLDER
from kit.frame import Group, VectorFile
from kit.readers.pairings import ALIKE, IGNORED, SYMBOLS, code

NOTES = {
    "Normal": "As it is shown",
    "Typed": "Lower case, other separators, or none",
    "Alike": "Letters that no code has, and that look like a symbol that it may have",
    "Symbols": "Each symbol of the alphabet, in both halves",
    "Length": "Not twelve symbols; nothing is used up by it",
    "OtherCharacter": "A character that is neither a symbol nor a separator",
}
LOOKUP, SECRET = "7KQ2MX", "4T0HC9"
GOOD = {"lookup": LOOKUP, "secret": SECRET}
STRANGE = "*_./,:;+=#'\"()[]\\|~\x00\x0b\x0c\x1b\x7f\x85"
LOOKALIKES = (
    "\uff17 \u041e \u0410 \u0131 \u212a \u017f \u0130 \u24ff \u0663 \u00b2 \u00c9 \u2009 \u200b \u200d "
    "\u00ad \u2016 \u2011\u0301 \u2212\ufe0f \u30fc \u3000 \ufeff \U0001d7d5 \u2764"
)


def golden(group: Group) -> None:
    for row in json.loads((FOLDER / "pairing.json").read_text())["codes"]:
        comment, case = row.get("why", repr(row["typed"])), {"typed": row["typed"]}
        if "error" in row:
            flag = (
                "OtherCharacter"
                if any(word in comment for word in ("character", "digit", "score"))
                else "Length"
            )
            group.invalid(f"golden: {comment}", case, row["error"]["code"], flag)
        else:
            output = {"lookup": row["lookup"], "secret": row["secretHalf"]}
            group.valid(f"golden: {comment}", case, output, "Normal" if "-" in row["typed"] else "Typed")


def valid(group: Group) -> None:
    for separator in IGNORED:
        typed = separator.join((LOOKUP, SECRET))
        group.valid(f"U+{ord(separator):04X} between the halves", {"typed": typed}, GOOD, "Typed")
    every = IGNORED.join(LOOKUP + SECRET)
    group.valid("all separators everywhere", {"typed": IGNORED + every + IGNORED}, GOOD, "Typed")
    group.valid("64 KiB of spaces in front", {"typed": " " * 65536 + LOOKUP + SECRET}, GOOD, "Typed")
    for letter, meant in ALIKE.items():
        for typed in (letter, letter.lower()):
            output = {"lookup": meant + LOOKUP[1:], "secret": SECRET[:5] + meant}
            case = {"typed": f"{typed}{LOOKUP[1:]}-{SECRET[:5]}{typed}"}
            group.valid(f"{typed} is {meant}", case, output, "Alike")
    for start in range(0, len(SYMBOLS), 4):
        symbols = (SYMBOLS * 2)[start : start + 12]
        output = {"lookup": symbols[:6], "secret": symbols[6:]}
        group.valid(f"the symbols {symbols}", {"typed": f"{symbols[:6]}-{symbols[6:]}"}, output, "Symbols")
        group.valid(f"the symbols {symbols.lower()}", {"typed": symbols.lower()}, output, "Symbols")


def invalid(group: Group) -> None:
    whole = LOOKUP + SECRET
    for count in (1, 5, 7, 10):
        group.invalid(f"{count} symbols", {"typed": whole[:count]}, "malformed", "Length")
    for count in (14, 24, 4096):
        typed = (whole * 400)[:count]
        group.invalid(f"{count} symbols", {"typed": typed}, "malformed", "Length")
    for comment, typed in (("separators alone", IGNORED), ("a separator alone", "-")):
        group.invalid(comment, {"typed": typed}, "malformed", "Length")
    group.invalid("six symbols, then six separators", {"typed": LOOKUP + "------"}, "malformed", "Length")
    for letter in STRANGE:
        typed = f"{LOOKUP}{letter}{SECRET}"
        group.invalid(
            f"U+{ord(letter):04X} between the halves", {"typed": typed}, "malformed", "OtherCharacter"
        )
    for letter in LOOKALIKES.split():
        name = " ".join(f"U+{ord(part):04X}" for part in letter)
        for typed, place in (
            (letter + whole[1:], "for a symbol"),
            (LOOKUP + letter + SECRET, "beside twelve"),
        ):
            group.invalid(f"{name} {place}", {"typed": typed}, "malformed", "OtherCharacter")


def main() -> None:
    file = VectorFile("pairing_code", "Code of a pairing, as people type it", NOTES)
    group = file.group("pairing.code", "python")
    assert code(f"{LOOKUP}-{SECRET}") == (LOOKUP, SECRET)
    golden(group)
    valid(group)
    invalid(group)
    file.write()


main()
