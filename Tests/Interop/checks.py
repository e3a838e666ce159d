"""How a case fails."""

from collections.abc import Callable

import tink


class Mismatch(Exception):
    """The two sides disagree, or one of them did what it never may."""


class Refusal(Exception):
    """closer-keys refused with an exit status that scripts may rely on: 3, 4 or 5."""


class Refused(Exception):
    """A refusal that names its reason, by the partner or by closer-keys. Only closer-keys has an exit status."""

    def __init__(self, code: str, exit_status: int | None = None) -> None:
        super().__init__(code)
        self.code, self.exit_status = code, exit_status


def same(what: str, expected: object, actual: object) -> None:
    """Fails unless both are equal, and shows both, since a rerun has other nonces and may not fail again."""
    if expected != actual:
        raise Mismatch(f"{what}\n  expected {_shown(expected)}\n  got      {_shown(actual)}")


def must_refuse(who: str, attempt: Callable[[], object]) -> None:
    """Fails unless the attempt is refused. A crash or a usage error is no refusal, and fails the case too."""
    try:
        attempt()
    except (Refusal, tink.TinkError):
        return
    raise Mismatch(f"{who} took what it must refuse")


def must_say(exit_status: int, code: str, attempt: Callable[[], object]) -> None:
    """Fails unless the attempt is refused for exactly this reason. The partner has no exit status to compare."""
    try:
        attempt()
    except Refused as refused:
        said = exit_status if refused.exit_status is None else refused.exit_status
        same("the refusal", f"{code}, exit {exit_status}", f"{refused.code}, exit {said}")
        return
    raise Mismatch(f"taken, where {code} was due")


def _shown(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
