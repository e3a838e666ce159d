"""Two people who pair, with random values of ours: the cases of both steps, and what makes one of them wrong."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from tink.proto import tink_pb2

from kit import FOLDER, aes_keys, cpace
from kit.pairing import Offer, Pairing, Party
from kit.pairing_keys import Hold
from kit.stream import stream

GOLDEN = json.loads((FOLDER / "pairing.json").read_text())
ALICE, BOB, MALLORY = (
    Party(name, GOLDEN["people"][name]["publicKey"], GOLDEN["people"][name]["x25519PublicKey"])
    for name in ("alice", "bob", "mallory")
)
PHRASE = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"
FIRST, SECOND, THIRD, NEW = (
    aes_keys.entry(f"pairing {number}", number) for number in (168496141, 555885348, 825373492, 1094861636)
)
# The bytes of the third under another id.
AGAIN = aes_keys.entry("pairing 825373492", 7)


def scalar(label: str) -> bytes:
    number = int.from_bytes(stream(f"pairing scalar {label}", 64), "little") % cpace.ORDER
    return number.to_bytes(32, "little")


def iv(label: str) -> bytes:
    return stream(f"pairing iv {label}", 12)


def hold(epoch: int, *keys: tink_pb2.Keyset.Key) -> Hold:
    return Hold(epoch, aes_keys.keyset(*keys))


@dataclass(frozen=True)
class Scene:
    """The inviter has a couple of two devices, and the acceptor is one rekey ahead, unless something else is said."""

    lookup: str = "QZV8RD"
    secret: str = "1M7WXB"
    couple: str = "couple_1"
    inviter: Party = ALICE
    acceptor: Party = BOB
    session: bytes = stream("pairing session", 16)
    ya: bytes = scalar("inviter")
    yb: bytes = scalar("acceptor")
    ours: Hold = hold(0, FIRST)
    is_alone: bool = False
    theirs: Hold | None = hold(1, SECOND, FIRST)
    granted: Hold = hold(2, NEW, FIRST, SECOND)
    phrase: str = PHRASE
    is_migrating: bool = False
    retired: str = ""
    retired_keys: tink_pb2.Keyset | None = None

    def but(self, **changes) -> "Scene":
        return replace(self, **changes)

    def offer(self) -> Offer:
        bare = Offer(self.lookup, self.couple, self.inviter, self.session, b"")
        return replace(bare, share=cpace.product(self.ya, bare.generator(self.secret.encode())))

    def pairing(
        self, seen: Offer | None = None, password: bytes | None = None, kind: type[Pairing] = Pairing
    ) -> Pairing:
        """As the acceptor computes it, who may have `seen` another offer."""
        seen = seen or self.offer()
        share = cpace.product(self.yb, seen.generator(self.secret.encode() if password is None else password))
        return kind(seen, self.acceptor, share, cpace.product(self.yb, seen.share))

    def sealed_hold(self, pairing: Pairing, body: bytes | None = None) -> bytes:
        if body is None and self.theirs is None:
            return b""
        return pairing.seal("hold", self.theirs.body(b"hold") if body is None else body, iv("hold"))

    def sealed_grant(self, pairing: Pairing, body: bytes | None = None) -> bytes:
        name = b"couple/migrating" if self.is_migrating else b"couple"
        whole = self.granted.body(name, self.phrase.encode())
        return pairing.seal("seal", whole if body is None else body, iv("grant"))

    def reply(self, pairing: Pairing | None = None) -> str:
        pairing = pairing or self.pairing()
        return pairing.reply_text(self.sealed_hold(pairing))

    def grant(self, pairing: Pairing | None = None) -> str:
        pairing = pairing or self.pairing()
        return pairing.grant_text(self.sealed_grant(pairing))

    def confirms(self, reply: str | None = None, **members) -> dict:
        case = {"offer": self.offer().text(), "scalar": self.ya, "reply": reply or self.reply()}
        case |= {"epoch": str(self.ours.epoch), "keyset": self.ours.binary()}
        return case | {"alone": str(self.is_alone).lower()} | self._retired() | members

    def finishes(self, grant: str | None = None, **members) -> dict:
        case = {"offer": self.offer().text(), "code": f"{self.lookup}-{self.secret}", "scalar": self.yb}
        case |= self.acceptor.members() | {"grant": grant or self.grant()}
        if self.theirs:
            case |= {"epoch": str(self.theirs.epoch), "keyset": self.theirs.binary()}
        return case | self._retired() | members

    def _retired(self) -> dict:
        keyset = {"retiredKeyset": aes_keys.binary(self.retired_keys)} if self.retired_keys else {}
        return ({"retiredIds": self.retired} if self.retired else {}) | keyset


def alone(is_alone: bool = True) -> Scene:
    """The acceptor holds nothing."""
    return Scene(theirs=None, is_alone=is_alone, granted=hold(0, FIRST))


def respelled(text: str, change: Callable[[dict], dict]) -> str:
    """The document with other members."""
    return json.dumps(change(json.loads(text)), ensure_ascii=False, separators=(",", ":"))
