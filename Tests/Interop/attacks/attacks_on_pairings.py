"""What a server does to a pairing whose code it does not know: what docs/threat-model.md says under Pairing, line by line.

The one who judges is the real program, the other one a partner in Python. The lies are those of `pair_faults`.
"""

import os
import subprocess
from collections.abc import Callable

import pair_faults
from attack_stage import Stage, all_refused, tried
from checks import Mismatch, Refused, must_say, same
from draw import Draw
from meeting import Meeting
from pair_tampering import guessed_offer, slipped
from partner.person import Partner
from scene import changed
from server_couples import ALICE, BOB, COUPLE, Victim

MALLORY = "mallory"


def lies(what: str, *names: str) -> Callable[[Stage], str]:
    """Each of these faults in a pairing of its own. What must hold afterwards is what `pair_faults` says."""

    def act(stage: Stage) -> str:
        return all_refused(*(_lie(stage, name, number) for number, name in enumerate(names)))

    act.__doc__ = what
    return act


def _lie(stage: Stage, name: str, number: int) -> Callable[[], object]:
    role, _, _, tamper, afterwards = pair_faults.FAULTS[name]

    def told() -> object:
        meeting = _meeting(stage, role, number)
        attempt = tamper(meeting)
        try:
            return attempt()
        except Refused as refused:
            _holds(name, lambda: afterwards(meeting))
            raise refused

    return told


def _holds(name: str, afterwards: Callable[[], None]) -> None:
    """Here a refusal is a fault."""
    try:
        afterwards()
    except Refused as refused:
        raise Mismatch(f"after {name}: {refused.code}") from None


def _meeting(stage: Stage, role: str, number: int = 0) -> Meeting:
    """Two who never met. The program has that role."""
    draw = Draw(0, "pairing", number)
    program, partner = Victim(stage.alice.program, ALICE), Partner(draw, BOB)
    sides = (program, partner) if role == "inviter" else (partner, program)
    return Meeting(draw, f"couple_{10 + number}", *sides)


def repeat(stage: Stage) -> str:
    """Delivers each document twice, and each result gets lost once."""
    for role in ("inviter", "acceptor"):
        _meeting(stage, role).pair()
    return "fails"


def guess_at_acceptor(stage: Stage) -> str:
    """Has Alice's code answer an offer of its own, with a guess in it, before the real one comes."""
    meeting = _meeting(stage, "acceptor")
    meeting.accept(guessed_offer(meeting))
    return all_refused(lambda: meeting.accept())


def reflect(stage: Stage) -> str:
    """Sends Alice's own offer back to her, as an offer and as a reply."""
    offer, code = stage.alice.offer(COUPLE)
    return all_refused(lambda: stage.alice.accept(offer, code), lambda: stage.alice.confirm(COUPLE, offer))


def unnamed_couple(stage: Stage) -> str:
    """Mallory invites Alice to the couple that Alice has with Bob; Alice accepts what she hears, and names no couple."""
    offer, code = _of_mallory(stage)
    return _unmoved(stage, lambda: _accept(stage, offer, code, "--yes"), lambda: _accept(stage, offer, code, f"--partner={MALLORY}"))


def named_couple(stage: Stage) -> str:
    """And then she names it. Where no key of Bob's is known yet, the script has to say that the keys shall go."""
    offer, code = _of_mallory(stage)

    def named(*options: str) -> object:
        return _accept(stage, offer, code, f"--couple={COUPLE}", f"--partner={MALLORY}", *options)

    if stage.pair.state != "serverKnown":
        return _unmoved(stage, named, lambda: named("--yes", "--partner-has-new-key", "--replace-partner"))
    asked = _unmoved(stage, named)
    stage.both_seal()
    stage.release_by_alice(stage.theirs)
    pinned = _unmoved(stage, named, lambda: named("--yes", "--partner-has-new-key"))
    return f"{asked}, {pinned.removeprefix('refused: ')}"


def partner_of_another_name(stage: Stage) -> str:
    """Somebody who overheard Alice's code answers in another name than Bob's."""
    stage.both_seal()
    stage.release_by_alice(stage.theirs)
    offer, code = stage.alice.offer(COUPLE)
    reply = Partner(stage.draw, MALLORY).accept(offer, code)
    return _unmoved(stage, lambda: stage.alice.confirm(COUPLE, reply), lambda: stage.alice.confirm(COUPLE, reply, new_key=True))


def imported(stage: Stage) -> str:
    """Has one guess at Alice, who moves to a copy of her vault from before, and shows her the real offer of the same code."""
    meeting = _meeting(stage, "acceptor")
    device = meeting.acceptor
    copy = _exported(device)
    meeting.accept(guessed_offer(meeting))
    moved = copy()
    return all_refused(lambda: meeting.accept(), lambda: meeting.accept(acceptor=moved))


def _exported(device: Victim) -> Callable[[], Victim]:
    """A backup, and what makes a device of it again."""
    words = device._file("words", "three words more")
    device._run("device export", "--export-passphrase-file", words, "-o", f"{device.name}.export")

    def restored() -> Victim:
        moved = device.moved(device.program)
        moved.name = f"{device.name}.moved"
        moved.vault = ["--vault", f"{moved.name}.db"]
        moved._run("device import", "--key-file", f"{moved.name}.key", "--export-passphrase-file", words, f"{device.name}.export")
        return moved

    return restored


def _of_mallory(stage: Stage) -> tuple[str, str]:
    """A stranger with an account, with a partner's device of their own, who knows the name of the couple."""
    return Partner(stage.draw, MALLORY).offer(COUPLE)


def _accept(stage: Stage, offer: str, code: str, *options: str) -> object:
    alice = stage.alice
    code_file, document = alice._file("typed", code), alice._file("offer.json", offer)
    return alice._told("accept", "--no-input", "--code-file", code_file, *options, document)


def _unmoved(stage: Stage, *attempts: Callable[[], object]) -> str:
    """All are refused, print no reply, and leave every byte of the vault as it is."""
    vault = stage.alice.program.folder / stage.alice.vault[1]
    before = vault.read_bytes()
    said = all_refused(*attempts)
    same("the vault", before, vault.read_bytes())
    return said


def crash(stage: Stage) -> str:
    """Guesses while Alice's disk is full, so that the verdict is lost, and then wants the right reply to be judged."""
    meeting = _meeting(stage, "inviter")
    device, right = meeting.inviter, _reply(meeting, meeting.typed)
    guess = device._file("guess.json", _reply(meeting, slipped(meeting)))
    _with_output_lost(device, "pair", "confirm", *device.vault, f"--couple={meeting.couple}", "--json", guess)
    return all_refused(lambda: meeting.confirm(right))


def _reply(meeting: Meeting, typed: str) -> str:
    """Of somebody with Bob's name, on a device that nobody knows."""
    return Partner(meeting.draw, BOB).accept(meeting.offer, typed)


def _with_output_lost(device: Victim, *arguments: str) -> None:
    """The exit status says nothing here: there was an error before the output could fail."""
    folder = device.program.folder
    environment = os.environ | {"XDG_STATE_HOME": str(folder)}
    with open("/dev/full", "wb") as full:
        command = [device.program.path, *arguments]
        subprocess.run(command, stdout=full, stderr=subprocess.DEVNULL, cwd=folder, env=environment, timeout=60)


def version_one(stage: Stage) -> str:
    """Says that Bob's app is too old, and shows an invite of version 1 under a pairing's code."""
    invite, device = stage.server.seen["invite"], stage.alice.another()
    offer = _meeting(stage, "acceptor").offer
    said = all_refused(lambda: device.join("couple_9", invite, "ABCDEFGHJKMN"), lambda: device.accept(offer, "ABCDEF"))
    device._run("device policy", "--require-paired")
    return f"{said}, {all_refused(lambda: device.join('couple_9', invite)).removeprefix('refused: ')}"


def burn(stage: Stage) -> str:
    """Spoils one invite after the other."""
    meeting, said = _meeting(stage, "inviter"), []
    for _ in range(3):
        meeting.renew()
        guess = _reply(meeting, slipped(meeting))
        said.append(all_refused(lambda: meeting.confirm(guess)))
    same("the refusals", {"refused: codeMismatch"}, set(said))
    return "told: somebody may be guessing" if "guess" in stage.alice.program.said else said[0]


def known_partner(stage: Stage) -> str:
    """Puts a key of its own into the offer of the partner whom Alice has."""
    offer, code = stage.bob.offer(COUPLE)
    own = changed(offer, publicKey=stage.impostor().public_key)
    return tried(lambda: _to_the_end(stage, own, code))


def _to_the_end(stage: Stage, offer: str, code: str) -> str:
    """Where Alice knows no key of Bob's, he finds out."""
    stage.bob.confirm(COUPLE, stage.alice.accept(offer, code))
    return "silent"


def new_phone(stage: Stage) -> str:
    """Says that Bob has a new phone, with its key and a guess, to Alice and then to Alice who asks for his new key."""
    meeting = Meeting(stage.draw, COUPLE, stage.alice, Partner(stage.draw, BOB))
    guess = _reply(meeting, slipped(meeting))
    return all_refused(*(lambda asked=asked: stage.alice.confirm(COUPLE, guess, new_key=asked) for asked in (False, True)))


def withhold_grant(stage: Stage) -> str:
    """Keeps the grant back: Alice is paired, and Bob waits."""
    offer, code = stage.alice.offer(COUPLE)
    stage.alice.confirm(COUPLE, stage.bob.accept(offer, code))
    same("Alice's state", "paired", stage.alice.shown(COUPLE)["state"])
    must_say(4, "noKey", lambda: stage.bob.open_field(COUPLE, stage.alice.seal_field(COUPLE, b"new")))
    shown = stage.bob.shown(COUPLE)
    return f"told: {shown['state']}, {shown['pairing']['status']}"


def replay(stage: Stage) -> str:
    """Delivers the reply and the grant of the last pairing again, before and after the two pair anew."""
    seen = stage.server.seen
    before = stage.alice.shown(COUPLE), stage.bob.shown(COUPLE)
    same("the grant", seen["grant"], stage.alice.confirm(COUPLE, seen["reply"]))
    stage.bob.finish(COUPLE, seen["grant"])
    same("both devices", before, (stage.alice.shown(COUPLE), stage.bob.shown(COUPLE)))
    offer, code = stage.alice.offer(COUPLE)
    stage.bob.finish(COUPLE, stage.alice.confirm(COUPLE, stage.bob.accept(offer, code)))
    after = stage.bob.fingerprint(COUPLE)
    stage.bob.finish(COUPLE, seen["grant"])
    same("Bob's key", after, stage.bob.fingerprint(COUPLE))
    return all_refused(lambda: stage.alice.confirm(COUPLE, seen["reply"]), lambda: stage.bob.accept(seen["offer"], code))
