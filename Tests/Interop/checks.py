"""How a case fails."""

from collections.abc import Callable

import tink


class Mismatch(Exception):
    """The two sides disagree, or one of them did what it never may."""


class Refusal(Exception):
    """closer-keys said no in the way that scripts may rely on: exit 3, 4 or 5."""


class Refused(Exception):
    """A definite no with a name: by the partner, or by closer-keys, which says it with an exit status."""

    def __init__(self, code: str, exit_status: int | None = None) -> None:
        super().__init__(code)
        self.code, self.exit_status = code, exit_status


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


def must_say(exit_status: int, code: str, attempt: Callable[[], object]) -> None:
    """Fails unless the attempt ends in exactly this no; only a program has an exit status."""
    try:
        attempt()
    except Refused as refused:
        said = exit_status if refused.exit_status is None else refused.exit_status
        same("the refusal", f"{code}, exit {exit_status}", f"{refused.code}, exit {said}")
        return
    raise Mismatch(f"taken, where {code} was due")


def _shown(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
