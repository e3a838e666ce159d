"""Alice has a phone and a tablet with one vault, by closer-keys; her partner is on Android, played by Tink and pyca.

The phone seals and the tablet releases. Then the phone is lost: the tablet renews the vault, the phone's key opens nothing new, and the
two pair again.
"""

import argparse
import json
import shutil
import sys
import tempfile
from itertools import count
from pathlib import Path

from checks import must_say, same
from draw import Draw
from meeting import Meeting
from pairing_device import PairingDevice
from partner.person import Partner
from people import new_question
from program import Program

COUPLE = "couple_1"
ANSWERS = {"alice": '{"answer":"By the sea."}', "bob": '{"answer":"At home."}'}


class Linked(PairingDevice):
    """Another device of the same user, with a copy of the vault, a key file of its own, and a memory of its own."""

    def __init__(self, first: PairingDevice, folder: Path) -> None:
        self.program, self.user, self.name = Program(first.program.path, folder), first.user, "tablet"
        self.vault = ["--vault", "tablet.db"]
        self.phrases, self.known, self.new_number = dict(first.phrases), list(first.known), count()
        self.take(first)
        link = first._run("device link", "--yes", "--code-file", "link.code")
        shutil.move(first.program.folder / "link.code", folder / "link.code")
        self._run("device join", "--key-file", "tablet.key", "--code-file", "link.code", self._file("link", link))
        self.public_key, self.x25519_key = self._keys()

    def _keys(self) -> tuple[str, str]:
        shown = json.loads(self._run("device show", "--json"))
        return shown["publicKey"], shown["x25519PublicKey"]

    def take(self, other: PairingDevice) -> None:
        """What the app's store does: this device has the state of the other one."""
        shutil.copy(other.program.folder / f"{other.name}.db", self.program.folder / f"{self.name}.db")

    def renew(self) -> None:
        self._run("device renew", "--new-key-file", "new.key", "--yes")
        self.public_key, self.x25519_key = self._keys()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        story(Program(arguments.program.resolve(), Path(first)), Path(second))
    print("devices: 1 passed, 0 failed, 0 skipped")
    return 0


def story(program: Program, folder: Path) -> None:
    draw = Draw(0, "devices", 0)
    phone, bob = PairingDevice(program, "alice"), Partner(draw, "bob")
    phone.create(COUPLE)
    bob.join(COUPLE, phone.invite(COUPLE)[0])
    tablet = Linked(phone, folder)
    same("the identity", phone.public_key, tablet.public_key)

    question = new_question(draw, COUPLE)
    of_alice, of_bob = phone.seal(question, ANSWERS["alice"]), bob.seal(question, ANSWERS["bob"])
    tablet.take(phone)
    to_bob = tablet.release(question, "bob", bob.public_key, of_bob)
    to_alice = bob.release(question, "alice", phone.public_key, of_alice)
    same("what Bob reads", json.loads(ANSWERS["alice"])["answer"], said(bob.reveal(question, "alice", of_alice, to_bob)))
    same("what the tablet reads", json.loads(ANSWERS["bob"])["answer"], said(tablet.reveal(question, "bob", of_bob, to_alice)))

    tablet.renew()
    shutil.copy(folder / "tablet.db", program.folder / f"{phone.name}.db")
    must_say(3, "authFailed", lambda: phone.fingerprint(COUPLE))
    before = bob.seal_field(COUPLE, b"sealed before the two pair again")
    same("a field of before", b"sealed before the two pair again", tablet.open_field(COUPLE, before))
    meeting = Meeting(draw, COUPLE, tablet, bob, new_key=True, epoch=1)
    meeting.pair()
    meeting.use()


def said(revealed) -> str:
    return json.loads(revealed.payload)["answer"]


if __name__ == "__main__":
    sys.exit(main())
