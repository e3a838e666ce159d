"""Phrases that a partner's program may choose, and that closer-keys must not keep: easy to guess, or not to be copied from paper."""

GOOD = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"

PHRASES = {
    "a letter": "a",
    "nine words": GOOD.rpartition(" ")[0],
    "one word ten times": " ".join(["alpha"] * 10),
    "a Hangul filler": f"{GOOD}\u3164",
    "a braille blank": GOOD.replace("golf", "go\u2800lf"),
    "a variation selector": GOOD.replace("golf", "golf\ufe0f"),
    "another space": GOOD.replace(" ", "\u2003"),
    "a Cyrillic a": GOOD.replace("alpha", "\u0430lpha"),
    "combining marks": "a" + "\u0301" * 500,
}
