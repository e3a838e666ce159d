"""What a server does to rekeys, which it carries: forges, replays, renumbers, moves and withholds them."""

import hmac
import json
import os

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import theirs
from attack_stage import Stage, all_refused, believed, tried
from checks import must_say, same
from partner.couple_key import new_keyset
from partner.encoding import length_prefixed, token
from partner.sealed import public_keyset
from scene import changed
from server_couples import ALICE, BOB, COUPLE

OTHER_COUPLE = "couple_2"


def forged(stage: Stage) -> str:
    """Everything is as it must be but the HMAC, whose key only the two devices can compute."""
    keyset = stage.server.key().keyset
    made = new_keyset()
    made.key.extend(keyset.key)
    epoch = stage.bob_epoch + 1
    content = made.SerializeToString(deterministic=True)
    body = length_prefixed(b"closer-keys/v1/rekey", epoch.to_bytes(4, "big"), content, b"a phrase")
    key = HKDF(SHA256(), 32, b"closer-keys/v1", b"rekey-auth").derive(os.urandom(32))
    box = theirs.box_sealer(public_keyset(stage.bob.public_key)).encrypt(
        body + hmac.digest(key, body, "sha256"), f"{COUPLE}|ck.rekey.{epoch}|{ALICE}|{BOB}".encode()
    )
    named = {"senderId": ALICE, "recipientId": BOB, "epoch": epoch}
    return json.dumps({"encryptedCoupleKey": token("keybox:v1:", box)} | named)


def forge(stage: Stage) -> str:
    """Sends Bob a rekey in Alice's name, with a key that it knows."""
    return all_refused(lambda: stage.bob.take_rekey(ALICE, forged(stage)))


def mix(stage: Stage) -> str:
    """Of two rekeys, delivers the second first, the first under the second's number, and the first again at the end."""
    first = stage.alice.send_rekey(BOB, "--new")
    stage.bob.take_rekey(ALICE, first)
    second = stage.alice.send_rekey(BOB, "--new")
    number = json.loads(second)["epoch"]
    renumbered = [changed(first, epoch=number), changed(second, epoch=number - 1)]
    said = all_refused(*(lambda each=each: stage.bob.take_rekey(ALICE, each) for each in renumbered))
    stage.bob.take_rekey(ALICE, second)
    return f"{said}, {all_refused(lambda: stage.bob.take_rekey(ALICE, first)).removeprefix('refused: ')}"


def skip(stage: Stage) -> str:
    """Loses a rekey, and delivers the next one."""
    stage.alice.send_rekey(BOB, "--new")
    document = stage.alice.send_rekey(BOB, "--new")
    return all_refused(lambda: stage.bob.take_rekey(ALICE, document))


def move(stage: Stage) -> str:
    """Delivers a rekey of another couple of the same two people, and one back to its sender."""
    code_offer = stage.alice.offer(OTHER_COUPLE)
    reply = stage.bob.accept(*code_offer)
    stage.bob.finish(OTHER_COUPLE, stage.alice.confirm(OTHER_COUPLE, reply))
    document = stage.alice.send_rekey(BOB, couple=OTHER_COUPLE)
    back = changed(document, senderId=BOB, recipientId=ALICE)
    return all_refused(lambda: stage.bob.take_rekey(ALICE, document), lambda: stage.alice.take_rekey(BOB, back))


def withhold(stage: Stage) -> str:
    """Keeps Alice's rekey back. Bob goes on under the old key, which the server has, and writes in his name."""
    stage.alice.send_rekey(BOB, "--new")
    must_say(4, "noKey", lambda: stage.bob.open_field(COUPLE, stage.alice.seal_field(COUPLE, b"new")))
    same("the fingerprints differ", True, stage.alice.fingerprint(COUPLE) != stage.bob.fingerprint(COUPLE))
    stage.both_seal()
    said = tried(lambda: believed(stage.reveal(*stage.forgery(stage.impostor(), "hardened")), "what the server wrote"))
    same("Bob's state", "verified", stage.bob.shown(COUPLE)["state"])
    return f"told: verified at Bob; {said}"
