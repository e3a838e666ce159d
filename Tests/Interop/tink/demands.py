"""What a run must have met before it counts: so many cases, and among them every kind that is named here."""

ROTATION = {"rotation": ("none", "python", "ours", "ours at once")}
PREFIX = {"prefix": ("tink", "raw", "crunchy", "legacy")}
INTEGERS = {"integers": ("32", "33", "minimal"), "leading zero in the key": ("x", "y", "scalar")}
FIELD = PREFIX | ROTATION | {"plaintext": ("empty", "byte", "block", "text", "random", "64 KiB")}
BOX = PREFIX | ROTATION | INTEGERS | {
    "point": ("uncompressed", "compressed"),
    "dem key": ("16 bytes", "32 bytes"),
    "salt": ("yes", "no"),
    "context": ("empty", "short", "non-ascii", "long"),
    "box": ("binary", "token"),
}
FILE = {"form": ("binary", "json"), "type": ("aes256-gcm", "ecies-p256")}

KINDS = {
    "aead tink->ours": FIELD,
    "aead ours->tink": FIELD,
    "aead refused": {"fault": ("byte", "truncated", "couple", "disabled key")},
    "ecies tink->ours": BOX | {"leading zero in the shared x": ("yes",)},
    # closer-keys seals only once in each case, so a leading zero comes by chance here, in four cases of a thousand.
    "ecies ours->tink": BOX | {"leading zero in the shared x": ()},
    "ecies refused": {"fault": ("byte", "truncated", "context", "other keyset")},
    "keysets tink->ours": FILE | INTEGERS | {"keys": ("of tink", "made here")},
    "keysets ours->tink": FILE | {"public form": ("binary", "json", "token")},
    "keysets refused": {
        "fault": (
            *("no keys", "primary missing", "primary disabled", "duplicate id"),
            *("unknown status", "unknown prefix", "unknown type", "unknown version"),
            *("changed bit", "number out of range", "truncated", "secret"),
        ),
    },
}


def case_count(row: str, count: int) -> int:
    """`count` round trips each way, and a fifth as many refusals, but a hundred at least if there are as many round trips."""
    return max(min(100, count), count // 5) if row.endswith("refused") else count


def of_each_kind(row: str, count: int) -> int:
    """A run of less than a thousand is too small to meet every kind."""
    return case_count(row, count) // 200 if count >= 1000 else 0
