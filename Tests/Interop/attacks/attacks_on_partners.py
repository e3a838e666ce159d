"""What a server does to the public keys that it hands out, when Alice releases and when she compares: W4."""

import json

from attack_stage import FORGED, OURS, Stage, all_refused, tried
from checks import same
from partner.contexts import Context
from partner.sealed import opened_keybox, opened_payload
from scene import member
from server_couples import ALICE, BOB, COUPLE


def own_key(stage: Stage, *options: str) -> str:
    """Names its own key as Bob's when Alice is about to release."""
    stage.both_seal()
    return tried(lambda: _released(stage, BOB, *options))


def own_key_but_verified(stage: Stage) -> str:
    """The same to somebody who releases to verified keys only."""
    return own_key(stage, "--require-verified")


def own_key_and_policy(stage: Stage) -> str:
    """The same to a device whose policy demands pairings."""
    stage.alice._run("device policy", "--require-paired")
    return own_key(stage)


def own_key_later(stage: Stage) -> str:
    """The same after Alice has released to Bob's real key once."""
    stage.both_seal()
    stage.release_by_alice(stage.theirs)
    stage.question = stage.elsewhere(id="q_43")
    return own_key(stage)


def third_person(stage: Stage) -> str:
    """Says that somebody else is the partner, and answers in that name."""
    stage.documents["ours"] = stage.alice.seal(stage.question, OURS)
    stage.documents["theirs"] = stage.impostor(user="mallory").seal(stage.question, FORGED)
    return tried(lambda: _released(stage, "mallory"))


def planted_unasked(stage: Stage) -> str:
    """Makes up an answer to the question whose answer it wants, in Bob's name and in another; Alice names no question."""
    stage.both_seal()
    wanted = stage.elsewhere(id="q_43")
    stage.alice.seal(wanted, OURS)
    authors = (stage.impostor(), stage.impostor(user="mallory"))
    return all_refused(*[lambda author=author: _released_unasked(stage, author.seal(wanted, FORGED)) for author in authors])


def _released_unasked(stage: Stage, theirs: str) -> str:
    return stage.alice._run("answer release", f"--couple={COUPLE}", stage.alice._file("theirs.json", theirs))


def _released(stage: Stage, other: str, *options: str) -> str:
    """Alice releases to the server's key, and the server reads her answer."""
    server = stage.impostor(user=other)
    where = [f"--couple={COUPLE}", f"--question={stage.question.id}", f"--place={stage.question.place}"]
    theirs = stage.alice._file("theirs.json", stage.theirs)
    key = ["--partner", other, "--partner-key", server.public_key, theirs]
    told = stage.alice.told("answer release", *where, *key, *options)
    is_warned = stage.alice.is_warned()
    context = Context(COUPLE, stage.question.id, ALICE)
    one_time_key = opened_keybox(told["releaseKey"]["encryptedAnswerKey"], server.identity, context, other)
    read = opened_payload(member(stage.ours, "encryptedPayload"), one_time_key, context)
    same("what the server reads", "yes", json.loads(read)["answer"])
    return "told: warning" if is_warned and not told["partnerKeyVerified"] else "silent"


def compared_with_server(stage: Stage) -> str:
    """Gives each of the two its own key as the other's before they compare digits."""
    servers = {user: stage.impostor(user=user).public_key for user in (ALICE, BOB)}
    options = [f"--couple={COUPLE}", f"--partner={ALICE}", "--partner-key", servers[ALICE]]
    digits = stage.bob._run("couple verify", *options).strip()
    return tried(lambda: _verified(stage, digits, servers[BOB]))


def _verified(stage: Stage, digits: str, key: str) -> str:
    stage.alice.verify_digits(stage.bob, digits, key=key)
    return "silent"
