"""How a case fails."""

from collections.abc import Callable

import tink


class Mismatch(Exception):
    """The two sides disagree, or one of them did what it never may."""


class Refusal(Exception):
    """closer-keys said no in the way that scripts may rely on: exit 3, 4 or 5."""


def same(what: str, expected: object, actual: object) -> None:
    """Fails unless both are equal, and says both: a rerun has other nonces and need not fail again."""
    if expected != actual:
        raise Mismatch(f"{what}\n  expected {_shown(expected)}\n  got      {_shown(actual)}")


def must_refuse(who: str, attempt: Callable[[], object]) -> None:
    """Fails unless the attempt ends in a refusal; a crash or a usage error is none and fails the case too."""
    try:
        attempt()
    except (Refusal, tink.TinkError):
        return
    raise Mismatch(f"{who} took what it must refuse")


def _shown(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
