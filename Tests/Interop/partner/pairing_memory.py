"""What a partner's device remembers of a pairing, also once it is over."""

from dataclasses import dataclass

from partner.pairing_code import PairingCode
from partner.pairing_documents import Grant, Reply
from partner.pairing_sides import Acceptor, Inviter


@dataclass
class Invite:
    """Judges one reply: after that it is `granted`, `burned` or `failed`."""

    side: Inviter
    status: str = "open"
    reply: Reply | None = None
    grant: str = ""


@dataclass
class Answer:
    """Waits for one grant."""

    side: Acceptor
    code: PairingCode
    status: str = "waiting"
    grant: Grant | None = None
    # Whether the grant said that the couple has texts in the clear.
    is_migrating: bool = False
