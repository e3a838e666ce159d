"""What an attack has: a couple of its own, and all that the server can make of what it saw."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from checks import Mismatch, Refused, same
from draw import Draw
from partner.contexts import Question
from partner.couple_key import CoupleKey, new_keyset
from partner.memory import Couple
from partner.person import Partner
from partner.reveal import Revealed
from server_couples import ALICE, BOB, COUPLE, Pair, Server, Victim

PLACE, OTHER_PLACE = "daily:2026-11-20", "daily:2026-11-21"
OURS, THEIRS = '{"answer":"yes","to":"the question"}', '{"answer":"no","to":"the question"}'
FORGED = '{"answer":"what the server wrote"}'


@dataclass
class Stage:
    """Alice is the one who is attacked, unless an attack says otherwise. Bob is honest."""

    pair: Pair
    profile: str = "hardened"
    question: Question = Question(COUPLE, "q_42", PLACE)
    draw: Draw = field(default_factory=lambda: Draw(0, "attack", 0))
    documents: dict[str, str] = field(default_factory=dict)

    @property
    def alice(self) -> Victim:
        return self.pair.alice

    @property
    def bob(self) -> Victim:
        return self.pair.bob

    @property
    def server(self) -> Server:
        return self.pair.server

    @property
    def is_private(self) -> bool:
        return self.pair.state in ("rekeyed", "paired")

    @property
    def bob_epoch(self) -> int:
        """How many rekeys and pairings he has taken."""
        return int(self.is_private)

    @property
    def allows(self) -> bool:
        """Whoever uses `compat` must allow answers without a MAC."""
        return self.profile == "compat"

    def both_seal(self) -> None:
        self.documents["ours"] = self.alice.seal(self.question, OURS, self.profile)
        self.documents["theirs"] = self.bob.seal(self.question, THEIRS, self.profile)

    @property
    def ours(self) -> str:
        return self.documents["ours"]

    @property
    def theirs(self) -> str:
        return self.documents["theirs"]

    def release_by_bob(self, question: Question | None = None) -> str:
        return self.bob.release(question or self.question, ALICE, self.alice.public_key, self.ours)

    def release_by_alice(self, theirs: str) -> str:
        return self.alice.release(self.question, BOB, self.bob.public_key, theirs)

    def reveal(self, theirs: str, release: str | None, question: Question | None = None) -> Revealed:
        return self.alice.reveal(question or self.question, BOB, theirs, release, self.allows)

    def impostor(self, key: CoupleKey | None = None, user: str = BOB) -> Partner:
        """The server in somebody's name: with keys of its own, and with the couple key that it has."""
        server = Partner(self.draw, user)
        server.adopt(COUPLE, Couple(key or self.server.key(), {}, ""))
        return server

    def stranger(self) -> Partner:
        """Somebody who has nothing but public keys."""
        return self.impostor(CoupleKey(new_keyset()))

    def forgery(self, author: Partner, profile: str) -> tuple[str, str]:
        """An answer in Bob's name, and its release to Alice."""
        forged = author.seal(self.question, FORGED, profile)
        return forged, author.release(self.question, ALICE, self.alice.public_key, self.ours)

    def status(self) -> dict:
        where = [f"--couple={self.question.couple}", f"--question={self.question.id}", f"--place={self.question.place}"]
        return self.alice.told("answer status", *where)

    def check_genuine(self, release: str) -> None:
        """The refusal left no trace. What nobody proves is taken by no couple that paired or was rekeyed."""
        if self.profile == "compat" and self.pair.state in ("paired", "rekeyed"):
            return
        shown = json.loads(self.reveal(self.theirs, release).payload)
        same("the genuine answer", "no", shown["answer"])

    def elsewhere(self, **changes: str) -> Question:
        return replace(self.question, **changes)


def tried(attempt: Callable[[], str]) -> str:
    """What came of it, or the id with which the program refused."""
    try:
        return attempt()
    except Refused as refused:
        return f"refused: {refused.code}"


def all_refused(*attempts: Callable[[], object]) -> str:
    """The ids, each once. One attempt that is taken is a failure."""
    codes = []
    for number, attempt in enumerate(attempts):
        said = tried(lambda: f"taken, where all must be refused: attempt {number}: {attempt()}")
        if not said.startswith("refused: "):
            raise Mismatch(said)
        codes.append(said.removeprefix("refused: "))
    return "refused: " + ", ".join(dict.fromkeys(codes))


def believed(revealed: Revealed, wanted: str) -> str:
    """The victim was shown it; `authenticated` would be silence."""
    same("what the server wanted to be read", wanted, json.loads(revealed.payload)["answer"])
    return "taken as authenticated" if revealed.authenticity == "authenticated" else f"told: {revealed.authenticity}"
