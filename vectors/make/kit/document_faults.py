"""Changes that break one rule of a document, and the rule."""

from collections.abc import Iterator

BAD_IDS = ("", "a|b", "x" * 129, "é", "a b")


def missing(name: str, member: str) -> str | None:
    """The rule that a missing member breaks; none, if it may be missing or its absence means something else."""
    if (name, member) in (("invite", "code"), ("answer", "isRevealed"), ("couple", "encryptionVersion")):
        return None
    return f"{member}.wholeWrap" if name == "couple" else f"{member}.present"


def faults(name: str, members: dict) -> Iterator[tuple[str, dict, str, str]]:
    for member, value in members.items():
        yield from _types(member, value)
        for other in VALUES.get(member, ()):
            shown = ascii(other)[:40]
            yield (
                f"{member} is {shown}, {len(str(other))}",
                {member: other},
                f"{member}.{RULES[member]}",
                "Value",
            )
    for member in ("encryptedPayload", "commitmentHash", "encryptedAnswerKey", "publicKey"):
        if member in members:
            for comment, other in _tokens(members[member]):
                yield f"{member}: {comment}", {member: other}, f"{member}.{RULES[member]}", "Value"
    if name == "release-key":
        yield "released to oneself", {"recipientId": members["senderId"]}, "recipientId.otherPerson", "Person"


def _types(member: str, value: object) -> Iterator[tuple[str, dict, str, str]]:
    others = {str: (1, True, {}, ["x"]), bool: (0, "false", []), int: ("2", True, [2])}[type(value)]
    rule = {str: "string", bool: "boolean", int: RULES.get(member, "")}[type(value)]
    for other in others:
        yield f"{member} is {other!r}", {member: other}, f"{member}.{rule}", "Type"


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    yield "empty", ""
    yield "without its name", text.rpartition(":")[2]
    yield "with padding", text + "="
    yield "a line break behind it", text + "\n"
    yield "a letter of the other alphabet", text[:-1] + "+"
    yield "cut to 30 characters", text[:30]


RULES = {
    "encryptionVersion": "encryptionVersion",
    "wrappedCoupleKey": "wrappedCoupleKey",
    "kdfSalt": "kdfSalt",
    "kdfParams": "kdfParams",
    "code": "code",
    "recoveryPhrase": "recoveryPhrase",
    "userId": "identifier",
    "questionId": "identifier",
    "senderId": "identifier",
    "recipientId": "identifier",
    "schemaVersion": "schemaVersion",
    "encryptedPayload": "sealed",
    "commitmentHash": "commitment",
    "encryptedAnswerKey": "keybox",
    "publicKey": "publicKey",
    "platform": "platform",
}
VALUES = {
    "encryptionVersion": (3, -1, 1.5),
    "wrappedCoupleKey": ("", "AAAA", "A" * 37, "*" * 80, "A" * 40 + "\n", "A" * 21888),
    "kdfSalt": (
        "",
        "AAECAwQFBgcICQoLDA0ODw",
        "AAECAwQFBgcICQoLDA0OD_==",
        "AAECAwQFBgcICQoLDA0O",
        "000102030405060708090a0b0c0d0e0f",
    ),
    "kdfParams": (
        "",
        "{}",
        '{"alg":"argon2id","m":8,"p":1,"t":3,"v":19}',
        '{"alg":"argon2i","m":46080,"p":1,"t":3,"v":19}',
    ),
    "code": ("", "7KQ2M", "7KQ2MXX", "7KQ 2M", "7KQ2MÜ"),
    "recoveryPhrase": (
        "",
        "AAAA",
        "AjAxMjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJSktg/ZeBvWdrVTXubotvgNa+",
        "AT" + "A" * 43,
        "*" * 64,
    ),
    "userId": BAD_IDS,
    "questionId": BAD_IDS,
    "senderId": BAD_IDS,
    "recipientId": BAD_IDS,
    "schemaVersion": (2, 4, 0, 3.5),
    "platform": ("", "x" * 129, "é" * 65),
}
