"""What a server does to answers: W2, W5, W18, W19, W21, and what the list of threats does not name."""

import json

from attack_stage import FORGED, OTHER_PLACE, OURS, THEIRS, Stage, all_refused, believed, tried
from checks import same
from partner import payload
from partner.encoding import token_payload
from scene import changed, member
from server_couples import ALICE, BOB, COUPLE

WRITTEN = json.loads(FORGED)["answer"]


def guess_commitment(stage: Stage) -> str:
    """Hashes each answer that the question allows, to read Alice's before it is released."""
    stage.both_seal()
    wanted = member(stage.ours, "commitmentHash")
    options = (OURS, THEIRS, OURS.replace("yes", "perhaps"))
    guessed = [each for each in options if payload.commitment(payload.compat(each)) == wanted]
    if guessed:
        same("the guess", OURS, guessed[0])
    return "possible (W2)" if guessed else "fails"


def measure_length(stage: Stage) -> str:
    """Compares the length of two answers, to tell a yes from a no."""
    stage.both_seal()
    lengths = {len(token_payload("sealed:v1:", member(each, "encryptedPayload"))) for each in (stage.ours, stage.theirs)}
    return "possible (W21)" if len(lengths) == 2 else "fails"


def forge_as_stranger(stage: Stage) -> str:
    """Makes an answer, a commitment and a keybox that agree, with a MAC under a key of its own."""
    stage.both_seal()
    said = tried(lambda: believed(stage.reveal(*stage.forgery(stage.stranger(), "hardened")), WRITTEN))
    stage.check_genuine(stage.release_by_bob())
    return said


def forge_with_key(stage: Stage) -> str:
    """The same under the couple key that it computed from the invite."""
    stage.both_seal()
    return tried(lambda: believed(stage.reveal(*stage.forgery(stage.impostor(), "hardened")), WRITTEN))


def forge_without_mac(stage: Stage) -> str:
    """The same without a MAC, as if Bob's app knew none."""
    stage.both_seal()
    return tried(lambda: believed(stage.reveal(*stage.forgery(stage.stranger(), "compat")), WRITTEN))


def strip_mac_later(stage: Stage) -> str:
    """The same after Bob has proven an answer, to somebody who allows what nobody proves."""
    stage.profile = "hardened"
    stage.both_seal()
    stage.check_genuine(stage.release_by_bob())
    stage.question, stage.profile = stage.elsewhere(id="q_43"), "compat"
    return forge_without_mac(stage)


def copied_commitment(stage: Stage) -> str:
    """Shows Alice's own commitment as Bob's, to release and to reveal."""
    stage.both_seal()
    release, own = stage.release_by_bob(), member(stage.ours, "commitmentHash")
    copied = changed(stage.theirs, commitmentHash=own)
    said = all_refused(lambda: stage.release_by_alice(copied), lambda: stage.reveal(copied, release))
    stage.check_genuine(release)
    return said


def own_answer(stage: Stage) -> str:
    """Shows Alice her own answer in Bob's name, and under her own."""
    stage.both_seal()
    release, renamed = stage.release_by_bob(), changed(stage.ours, userId=BOB)
    attempts = (lambda shown=shown: stage.reveal(shown, release) for shown in (renamed, stage.ours))
    said = all_refused(lambda: stage.release_by_alice(renamed), *attempts)
    stage.check_genuine(release)
    return said


def other_day(stage: Stage) -> str:
    """Shows Bob's answer of one day as that of the next."""
    stage.both_seal()
    release, theirs = stage.release_by_bob(), stage.theirs
    stage.question = stage.elsewhere(place=OTHER_PLACE)
    stage.documents["ours"] = stage.alice.seal(stage.question, '{"answer":"of the next day","to":"it"}', stage.profile)
    return tried(lambda: believed(stage.reveal(theirs, release), "no"))


def other_question(stage: Stage) -> str:
    """Shows Bob's answer to one question as that to another, in its own name and in the other's."""
    stage.both_seal()
    release, theirs = stage.release_by_bob(), stage.theirs
    stage.question = stage.elsewhere(id="q_43")
    stage.both_seal()
    said = all_refused(
        lambda: stage.reveal(theirs, release), lambda: stage.reveal(changed(theirs, questionId="q_43"), release)
    )
    stage.check_genuine(stage.release_by_bob())
    return said


def replayed_release(stage: Stage) -> str:
    """Delivers a release for another question, one of Alice's own, and Bob's in another name."""
    stage.both_seal()
    old, ours = stage.release_by_bob(), stage.release_by_alice(stage.theirs)
    stage.question = stage.elsewhere(id="q_43")
    stage.both_seal()
    others = (old, ours, changed(ours, senderId=BOB, recipientId=ALICE), changed(old, senderId="mallory"))
    said = all_refused(*(lambda each=each: stage.reveal(stage.theirs, each) for each in others))
    stage.check_genuine(stage.release_by_bob())
    return said


def other_couple(stage: Stage) -> str:
    """Shows Bob's answer in another couple of the same two people, which has the same key."""
    document, phrase = stage.alice.couple_document(COUPLE), stage.alice.phrase(COUPLE)
    for each in (stage.alice, stage.bob):
        each.recover("couple_2", document, phrase)
    first, stage.question = stage.question, stage.elsewhere(couple="couple_2")
    stage.both_seal()
    theirs, release, stage.question = stage.theirs, stage.release_by_bob(), first
    stage.both_seal()
    said = all_refused(lambda: stage.reveal(theirs, release))
    stage.check_genuine(stage.release_by_bob())
    return said


def mixed_answers(stage: Stage) -> str:
    """Puts the ciphertext of another answer of Bob's under the commitment of this one."""
    stage.both_seal()
    release, first = stage.release_by_bob(), stage.theirs
    other = stage.bob.seal(stage.elsewhere(place=OTHER_PLACE), OURS, stage.profile)
    mixed = changed(first, encryptedPayload=member(other, "encryptedPayload"))
    said = all_refused(lambda: stage.reveal(mixed, release))
    stage.check_genuine(release)
    return said


def opened_without_vault(stage: Stage) -> str:
    """Forges an answer for somebody who opens it with a keyset alone, as a program on a server of theirs would."""
    stage.both_seal()
    program, author = stage.alice.program, stage.stranger()
    private = program.new_keyset("--type", "ecies-p256")
    forged = author.seal(stage.question, FORGED, stage.profile)
    release = author.release(stage.question, ALICE, program.keyset("public", private).decode().strip(), stage.ours)
    files = ["--keyset-file", program.file("private", private), "--release", program.file("release", release.encode())]
    where = [f"--couple={stage.question.couple}", "--json"]
    told = json.loads(program.run("answer", "open", *where, *files, stdin=forged.encode()))
    same("what is read", WRITTEN, told["payload"]["answer"])
    return f"told: {told['authenticity']}"
