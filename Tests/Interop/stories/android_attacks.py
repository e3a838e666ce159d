"""Attacks of docs/attacks.md against Examples/Android: what the server tries, and what must come of it, are that page's.

The attacked person has the Android phone, and the other one has closer-keys.
"""

from pathlib import Path

from android_phone import AndroidPhone
from attack_rows import ATTACKS, Attack
from attack_stage import Stage
from checks import same
from draw import Draw
from program import Program
from server_couples import ALICE, BOB, COUPLE, OLD, Pair, Server, Victim, Watched

STATES = ("serverKnown", "verified", "rekeyed", "paired")
PAGE = Path(__file__).parents[3] / "docs" / "attacks.md"

# Who is attacked, and in which states.
ROWS: dict[str, tuple[str, tuple[str, ...]]] = {
    "forges an answer without any couple key": ("alice", STATES),
    "forges an answer under the key of the invite": ("alice", STATES),
    "forges an answer without a MAC": ("alice", STATES),
    "forges one without a MAC when the partner has proven one": ("alice", STATES),
    "shows one's own answer as the partner's": ("alice", STATES),
    "shows one's own commitment as the partner's": ("alice", STATES),
    "shows an answer for another day": ("alice", STATES),
    "forges a field without any couple key": ("alice", STATES),
    "swaps two fields that have a place": ("alice", STATES),
    "shows a field that has no place at a place": ("alice", STATES),
    "forges a rekey": ("bob", ("serverKnown", "verified")),
    "loses a rekey and delivers the next": ("bob", ("verified",)),
}


class Attacked(AndroidPhone):
    """Does what `Victim` does, as far as these attacks need it."""

    def seal(self, question, answer: str, profile: str = "hardened") -> str:
        """The phone hardens every answer."""
        return super().seal(question, answer)

    def seal_field(self, couple: str, plaintext: bytes, *options: str) -> str:
        return super().seal_field(couple, plaintext, *map(_place, options))

    def open_field(self, couple: str, text: str, *options: str) -> bytes:
        return super().open_field(couple, text, *map(_place, options))

    def take_rekey(self, partner: str, document: str, couple: str = COUPLE) -> None:
        super().take_rekey(partner, document, couple)


def _place(option: str) -> str:
    return option.removeprefix("--place=")


def refused(draw: Draw, program: Program) -> dict[str, str]:
    title = draw.turn("row", ROWS)
    who, states = ROWS[title]
    state = draw.choice(states)
    attack = next(each for each in ATTACKS if each.title == title)
    pair = _couple(Watched(program.path, program.folder), who, state)
    same(f"what comes of it, {state}", _due(attack, state), attack.act(Stage(pair)))
    same("that the page names it", True, f"- {title}\n" in PAGE.read_text())
    return {"row": title}


def _due(attack: Attack, state: str) -> str:
    return attack.hardened[STATES.index(state)]


def _couple(program: Watched, who: str, state: str) -> Pair:
    """As `server_couples` makes it, with a phone for one of the two."""
    kinds = {"alice": Victim, "bob": Victim} | {who: Attacked}
    alice, bob, server = kinds["alice"](program, ALICE), kinds["bob"](program, BOB), Server()
    alice.create(COUPLE)
    bob.join(COUPLE, server.carry("invite", alice.invite(COUPLE)[0]))
    server.carry("old field", alice.seal_field(COUPLE, OLD))
    if state in ("verified", "rekeyed"):
        for one, other in ((alice, bob), (bob, alice)):
            one.compare_digits(COUPLE, other.user, other.public_key, other.digits(COUPLE, one.user, one.public_key))
    if state == "rekeyed":
        bob.take_rekey(ALICE, alice.new_rekey(COUPLE, BOB), COUPLE)
    if state == "paired":
        offer, code = alice.offer(COUPLE)
        bob.finish(COUPLE, alice.confirm(COUPLE, bob.accept(offer, code)))
    return Pair(state, alice, bob, server)
