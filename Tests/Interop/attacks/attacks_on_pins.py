"""What a server does to the order in which answers are shown and released: W6, and what the list of threats does not name."""

import json

from attack_stage import FORGED, OURS, THEIRS, Stage, all_refused, believed, tried
from checks import must_say, same
from server_couples import ALICE, BOB

WRITTEN = json.loads(FORGED)["answer"]


def false_answer_first(stage: Stage) -> str:
    """Shows Alice a false answer, collects her release, and wants Bob to read it before he chooses."""
    stage.documents["ours"] = stage.alice.seal(stage.question, OURS, stage.profile)
    forged = stage.impostor().seal(stage.question, FORGED, stage.profile)
    released = stage.release_by_alice(forged)
    must_say(8, "notYet", lambda: stage.bob.reveal(stage.question, ALICE, stage.ours, released, stage.allows))
    stage.documents["theirs"] = stage.bob.seal(stage.question, THEIRS, stage.profile)
    said = tried(lambda: believed(stage.reveal(stage.theirs, stage.release_by_bob()), "no"))
    return f"told: {said.split()[-1]}, conflict" if stage.status()["conflict"] else said


def pinned_forgery(stage: Stage) -> str:
    """Has a forgery revealed first, where it has the key, so that the true answer comes too late."""
    stage.both_seal()
    forged = tried(lambda: believed(stage.reveal(*stage.forgery(stage.impostor(), stage.profile)), WRITTEN))
    if forged.startswith("refused: "):
        stage.check_genuine(stage.release_by_bob())
        return forged
    must_say(1, "pinMismatch", lambda: stage.reveal(stage.theirs, stage.release_by_bob()))
    return f"{forged}, then pinMismatch" + ", conflict" * stage.status()["conflict"]


def pinned_before(stage: Stage) -> str:
    """Has a forgery pinned by a release, and revealed after the couple has become private."""
    stage.documents["ours"] = stage.alice.seal(stage.question, OURS)
    forged, release = stage.forgery(stage.impostor(), "hardened")
    stage.release_by_alice(forged)
    if stage.pair.state == "verified":
        stage.bob.take_rekey(ALICE, stage.alice.send_rekey(BOB))
    else:
        offer, code = stage.alice.offer(stage.question.couple)
        stage.alice.confirm(stage.question.couple, stage.bob.accept(offer, code))
    same("is private", True, stage.alice.shown(stage.question.couple)["state"] in ("rekeyed", "paired"))
    return tried(lambda: believed(stage.reveal(forged, release), WRITTEN))


def false_alarm(stage: Stage) -> str:
    """Shows an answer of its own beside the pinned one, so that Alice thinks that Bob has two."""
    stage.both_seal()
    stage.release_by_alice(stage.theirs)
    said = all_refused(lambda: stage.reveal(*stage.forgery(stage.stranger(), stage.profile)))
    alarm = ", conflict" if stage.status()["conflict"] else ""
    stage.check_genuine(stage.release_by_bob())
    return f"told: {said.split()[-1]}{alarm}" if alarm else said


def withhold_release(stage: Stage) -> str:
    """Delivers Alice's release, and never Bob's."""
    stage.both_seal()
    stage.release_by_alice(stage.theirs)
    must_say(8, "notYet", lambda: stage.reveal(stage.theirs, None))
    seen = stage.status()
    return "told: released, not revealed" if seen["released"] and not seen["revealed"] else "silent"


def spoilt_keybox(stage: Stage) -> str:
    """Puts another keybox into Bob's release, so that it does not open."""
    stage.both_seal()
    genuine, before = stage.release_by_bob(), stage.status()
    other = stage.forgery(stage.stranger(), "hardened")[1]
    said = all_refused(lambda: stage.reveal(stage.theirs, other))
    same("what is known of the question", before, stage.status())
    stage.check_genuine(genuine)
    return said


def answer_before_replace(stage: Stage) -> str:
    """Shows Alice the answer that Bob has replaced since, and then his release of the new one."""
    stage.both_seal()
    where = [f"--couple={stage.question.couple}", f"--question={stage.question.id}", f"--place={stage.question.place}"]
    replaced = stage.bob._run("answer seal", *where, "--profile", stage.profile, "--replace", stdin=OURS.replace("yes", "new"))
    stage.release_by_alice(stage.theirs)
    release = stage.release_by_bob()
    must_say(3, "authFailed", lambda: stage.reveal(stage.theirs, release))
    said = tried(lambda: believed(stage.reveal(replaced, release), "new"))
    return f"told: {said.split()[-1]}, conflict" if stage.status()["conflict"] else said
