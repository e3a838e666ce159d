"""Random walks through the steps of pairings, each walked twice with the sides exchanged: what is said must be the same.

Offers, replies and grants pile up, and any of them may come, early, late, twice, changed, or with another code.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from checks import Refused, same
from draw import Draw
from partner import pairing_code
from people import Person, new_names, new_person
from program import Program
from scene import changed

STEPS = 20
STARTS = ("nothing", "v1 couple", "two couples")


def exchanged(other: str) -> Callable[[Draw, Program], dict[str, str]]:
    return lambda draw, program: _exchanged(draw, program, other)


def _exchanged(draw: Draw, program: Program, other: str) -> dict[str, str]:
    start, seed = draw.turn("start", STARTS), draw.getrandbits(64)  # for the walk alone: the people draw what they like
    couple, *users = new_names(draw)
    walks = []
    for sides in (("ours", other), (other, "ours")):
        people = [new_person(side, draw, program, user) for side, user in zip(sides, users)]
        walks.append(Walk(Random(seed), couple, people))
    said = [_walked(walk, start) for walk in walks]
    for step, (one, other) in enumerate(zip(*said)):
        same(f"what is said in step {step} of {[what for what, _ in said[0]]}", one, other)
    refusals = {outcome for _, outcome in said[0][:-1]} - {"done"}
    paired = "yes" if ("finish", "done") in [(what.split()[0], outcome) for what, outcome in said[0]] else "no"
    return {"start": start, "paired": paired, "refusal": draw.choice(sorted(refusals) or ["none"])}


@dataclass
class Walk:
    """Two people and a mailbox with all documents, each with the number of who made it."""

    draw: Random
    couple: str
    people: list[Person]
    offers: list[tuple[int, tuple[str, str]]] = field(default_factory=list)
    replies: list[tuple[int, str]] = field(default_factory=list)
    grants: list[tuple[int, str]] = field(default_factory=list)

    def step(self) -> tuple[str, str]:
        """What was done, and what was said to it."""
        piles = {"accept": self.offers, "confirm": self.replies, "finish": self.grants}
        weights = {name: weight for name, weight in WEIGHTS.items() if piles.get(name, True)}
        name = self.draw.choices([*weights], weights.values())[0]
        who, document = self._one_of(piles[name]) if name in piles else (self.draw.randrange(2), None)
        try:
            getattr(self, name)(who, *([document] if document else []))
        except Refused as refused:
            return f"{name} {who}", refused.code
        return f"{name} {who}", "done"

    def offer(self, who: int) -> None:
        self.offers.append((who, self.people[who].offer(self.couple)))

    def accept(self, who: int, offered: tuple[str, str]) -> None:
        """Seldom with a slip in the code, or with the code of another offer."""
        (offer, code), chance = offered, self.draw.random()
        if chance < 0.08:
            _, (_, code) = self._one_of(self.offers)
        elif chance < 0.16:
            code = code[:-1] + ("0" if code[-1] != "0" else "1")
        self.replies.append((who, self.people[who].accept(self._changed(offer), code, new_key=self._maybe())))

    def confirm(self, who: int, reply: str) -> None:
        self.grants.append((who, self.people[who].confirm(self.couple, self._changed(reply), new_key=self._maybe())))

    def finish(self, who: int, grant: str) -> None:
        self.people[who].finish(self.couple, grant)

    def cancel_invite(self, who: int) -> None:
        self.people[who].cancel("invite", self.couple)

    def cancel_answer(self, who: int) -> None:
        self.people[who].cancel("accept", self.couple)

    def new_phone(self, who: int) -> None:
        self.people[who] = self.people[who].another()

    def state(self) -> tuple[str, str]:
        """How many keys each has at the end, and whether the primary is one."""
        keys = [len(person.key_ids(self.couple)) for person in self.people]
        primaries = {person.fingerprint(self.couple) for person, count in zip(self.people, keys) if count}
        return "at the end", f"keys {keys}, primaries {len(primaries)}"

    def _one_of(self, pile: list) -> tuple[int, object]:
        """The newer, the likelier, and seldom for who made it."""
        maker, document = pile[int(len(pile) * self.draw.random() ** 0.3)]
        return (maker if self.draw.random() < 0.1 else 1 - maker), document

    def _maybe(self) -> bool:
        return self.draw.random() < 0.5

    def _changed(self, document: str) -> str:
        chance = self.draw.random()
        if chance < 0.04:
            return changed(document, userId="mallory")
        return changed(document, lookup=pairing_code.new_code(self.draw).lookup) if chance < 0.08 else document


WEIGHTS = {"offer": 2, "accept": 5, "confirm": 5, "finish": 5, "cancel_invite": 1, "cancel_answer": 1, "new_phone": 0.7}


def _walked(walk: Walk, start: str) -> list[tuple[str, str]]:
    couple, people = walk.couple, walk.people
    if start != "nothing":
        people[0].create(couple)
    if start == "v1 couple":
        people[1].join(couple, people[0].invite(couple)[0])
    elif start == "two couples":
        people[1].create(couple)
    return [*(walk.step() for _ in range(STEPS)), walk.state()]
