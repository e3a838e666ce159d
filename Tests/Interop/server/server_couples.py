"""Two people with closer-keys in each of the four states, and the server between them, which keeps all that it sees."""

import copy
import json
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import CompletedProcess

from pairing_device import PairingDevice
from partner.couple_key import CoupleKey, unwrapped
from partner.wrap import from_code, unwrap
from program import Program

COUPLE, ALICE, BOB = "couple_1", "alice", "bob"
OLD = b"a field of the couple's first day"


class Watched(Program):
    """Keeps what was last said on standard error, too."""

    said = ""

    def call(self, *arguments: str, stdin: bytes = b"") -> CompletedProcess[bytes]:
        ended = super().call(*arguments, stdin=stdin)
        self.said = ended.stderr.decode()
        return ended


class Victim(PairingDevice):
    """Does what the server asks for, as somebody does who only looks at what the program says."""

    def compare(self, other: "Victim", couple: str = COUPLE) -> None:
        """The digits of the other's own device, read out on the telephone."""
        options = [f"--couple={couple}", f"--partner={self.user}", "--partner-key", self.public_key]
        self.verify_digits(other, other._run("couple verify", *options).strip(), couple)

    def verify_digits(self, other: "Victim", digits: str, couple: str = COUPLE, key: str = "") -> None:
        options = [f"--couple={couple}", f"--partner={other.user}", "--partner-key", key or other.public_key]
        self._run("couple verify", *options, "--digits", digits)

    def send_rekey(self, partner: str, *options: str, couple: str = COUPLE) -> str:
        return json.dumps(self._step("rekey", couple, f"--partner={partner}", *options)["rekey"])

    def take_rekey(self, partner: str, document: str, couple: str = COUPLE) -> None:
        super().take_rekey(partner, document, couple)

    def told(self, command: str, *options: str, stdin: str | bytes = b"") -> dict:
        """What the program says with `--json`."""
        return json.loads(self._run(command, *options, "--json", stdin=stdin))

    def is_warned(self) -> bool:
        """By the command that was run last."""
        return "warning: " in self.program.said

    def is_noted(self, words: str) -> bool:
        """By the command that was run last: a note has these words."""
        return any(words in line and "warning: " not in line for line in self.program.said.splitlines())

    def moved(self, program: Program) -> "Victim":
        """The same device in a copy of its folder."""
        device = copy.copy(self)
        device.program, device.phrases, device.known = program, dict(self.phrases), list(self.known)
        return device


@dataclass
class Server:
    """Carries every document, and keeps it."""

    seen: dict[str, str] = field(default_factory=dict)

    def carry(self, name: str, document: str) -> str:
        self.seen[name] = document
        return document

    def phrase(self) -> str:
        """The first one, which the code of the invite opens."""
        invite = json.loads(self.seen["invite"])
        return from_code(invite["recoveryPhrase"], invite["code"])

    def key(self) -> CoupleKey:
        """The couple key of the first day: W1."""
        return unwrapped(unwrap(json.loads(self.seen["invite"]), self.phrase()))


@dataclass
class Pair:
    state: str
    alice: Victim
    bob: Victim
    server: Server

    def copied(self, program: Path, folder: Path) -> "Pair":
        """On devices and with a state folder of their own, with a program that may be another one."""
        shutil.copytree(self.alice.program.folder, folder, dirs_exist_ok=True)
        watched = Watched(program, folder)
        people = [each.moved(watched) for each in (self.alice, self.bob)]
        return Pair(self.state, *people, replace(self.server, seen=dict(self.server.seen)))


def begun(program: Program) -> Pair:
    """By an invite of version 1: `serverKnown`."""
    alice, bob, server = Victim(program, ALICE), Victim(program, BOB), Server()
    alice.create(COUPLE)
    invite, _ = alice.invite(COUPLE)
    bob.join(COUPLE, server.carry("invite", invite))
    server.carry("old document", alice.couple_document(COUPLE))
    server.carry("old field", alice.seal_field(COUPLE, OLD))
    return Pair("serverKnown", alice, bob, server)


def compared(program: Program) -> Pair:
    pair = begun(program)
    pair.alice.compare(pair.bob)
    pair.bob.compare(pair.alice)
    return replace(pair, state="verified")


def rekeyed(program: Program) -> Pair:
    pair = compared(program)
    pair.bob.take_rekey(ALICE, pair.server.carry("rekey", pair.alice.send_rekey(BOB)))
    pair.server.carry("document", pair.alice.couple_document(COUPLE))
    return replace(pair, state="rekeyed")


def paired(program: Program) -> Pair:
    """After an invite, so that the server has an old key. Of a couple that began with a pairing it has none."""
    pair = begun(program)
    server = pair.server
    offer, code = pair.alice.offer(COUPLE)
    reply = pair.bob.accept(server.carry("offer", offer), code)
    grant = pair.alice.confirm(COUPLE, server.carry("reply", reply))
    pair.bob.finish(COUPLE, server.carry("grant", grant))
    server.carry("document", pair.alice.couple_document(COUPLE))
    return replace(pair, state="paired")


STATES = {"serverKnown": begun, "verified": compared, "rekeyed": rekeyed, "paired": paired}


def all_pairs(program: Path, folder: Path) -> dict[str, Pair]:
    """One in each state. Attacks get copies of them."""
    made = {}
    for state, make in STATES.items():
        (folder / state).mkdir()
        made[state] = make(Watched(program, folder / state))
        assert {each.shown(COUPLE)["state"] for each in (made[state].alice, made[state].bob)} == {state}
    return made
