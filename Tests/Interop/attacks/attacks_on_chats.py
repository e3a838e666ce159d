"""What a server does to the messages and keys of a chat that binds them, `chat:v2:`: W12."""

import hmac
import json

from attack_stage import Stage, all_refused
from attacks_on_formats import CHAT, TEXT
from checks import Refused, same
from partner import chat
from partner.encoding import from_standard, length_prefixed, standard, url
from scene import changed
from server_couples import ALICE, BOB, Victim

LABEL = b"closer-keys/v2/chat-key"


def reflect(stage: Stage) -> str:
    """Returns Alice's message to her as one of Bob's, to be counted and to be looked at."""
    _meet(stage)
    message = _sent(stage.alice, BOB, "m1")
    look = ["--peek", f"--to={BOB}"]
    said = all_refused(
        lambda: _received(stage.alice, BOB, "m1", message), lambda: _received(stage.alice, BOB, "m1", message, "--peek")
    )
    same("what she wrote, as her own", TEXT, _received(stage.alice, ALICE, "m1", message, *look))
    return said


def other_ids(stage: Stage) -> str:
    """Shows each of two messages under the id of the other."""
    _meet(stage)
    first, second = _sent(stage.alice, BOB, "m1"), _sent(stage.alice, BOB, "m2")
    said = all_refused(
        lambda: _received(stage.bob, ALICE, "m2", first), lambda: _received(stage.bob, ALICE, "m1", second)
    )
    _check_genuine(stage, first, "m1")
    return said


def other_authors(stage: Stage) -> str:
    """Shows Alice's message as one of Carol's, whom Bob knows, and as one of Bob's own to her."""
    _meet(stage)
    message = _sent(stage.alice, BOB, "m1")
    carol = Victim(stage.bob.program, "carol")
    _pin(stage.bob, carol)
    said = all_refused(
        lambda: _received(stage.bob, "carol", "m1", message, "--peek", f"--to={ALICE}"),
        lambda: _received_line(stage.bob, ALICE, {"sender_id": "carol", "id": "m1", "encrypted_content": message}),
    )
    same("in Carol's chat", "refused: keyGone", all_refused(lambda: _received(stage.bob, "carol", "m1", message)))
    _check_genuine(stage, message, "m1")
    return said


def repeat(stage: Stage) -> str:
    """Delivers a message again, before and after the next one."""
    _meet(stage)
    messages = [_sent(stage.alice, BOB, f"m{number}") for number in (1, 2)]
    _received(stage.bob, ALICE, "m1", messages[0])
    before = all_refused(lambda: _received(stage.bob, ALICE, "m1", messages[0]))
    _received(stage.bob, ALICE, "m2", messages[1])
    same("after the next one", before, all_refused(lambda: _received(stage.bob, ALICE, "m1", messages[0])))
    return before


def hold_back(stage: Stage) -> str:
    """Holds one of three messages back, and delivers it last."""
    _meet(stage)
    messages = [_sent(stage.alice, BOB, f"m{number}") for number in (1, 2, 3)]
    _received(stage.bob, ALICE, "m1", messages[0])
    missing = stage.bob.told("chat receive", f"--from={ALICE}", "--id=m3", stdin=messages[2])["missing"]
    late = stage.bob.told("chat receive", f"--from={ALICE}", "--id=m2", stdin=messages[1])
    same("the verdict on what came late", (True, []), (late["new"], late["missing"]))
    return "told: missing" if missing == [[2, 2]] else f"told: {missing}"


def old_key(stage: Stage) -> str:
    """Puts the document of a chat key back that was renewed since."""
    _meet(stage)
    old, new = _key(stage.alice, BOB, "--now"), _key(stage.alice, BOB, "--now")
    _take(stage.bob, ALICE, new)
    said = all_refused(lambda: _take(stage.bob, ALICE, old))
    _check_genuine(stage, _sent(stage.alice, BOB, "m1"), "m1")
    return said


def own_key(stage: Stage) -> str:
    """Hands out a chat key of its own: with a MAC of its own, in a genuine document, and each document in the other direction."""
    _meet(stage)
    server, genuine = chat.Side(bytes(range(32))), json.loads(_key(stage.alice, BOB, "--now"))
    index, public = genuine["index"] + 1, standard(server.public)
    forged = changed(json.dumps(genuine), index=index, publicKey=public, mac=_mac(server, stage.bob.x25519_key, index))
    swapped = changed(json.dumps(genuine), publicKey=public)
    own = changed(_key(stage.bob, ALICE), index=index)
    return all_refused(*(lambda each=each: _take(stage.bob, ALICE, each) for each in (forged, swapped, own)))


def downgrade(stage: Stage) -> str:
    """Shows Bob an old message that is not bound, after Alice's app began to bind hers, and asks Alice's app for one."""
    v1 = ["--profile", "fitlink", f"--chat={CHAT}", "--peer-key"]
    old = stage.alice._run("chat seal", *v1, stage.bob.x25519_key, stdin=TEXT)
    same("before", TEXT, stage.bob._bytes("chat open", *v1, stage.alice.x25519_key, stdin=old))
    _meet(stage)
    return all_refused(
        lambda: stage.bob._bytes("chat open", *v1, stage.alice.x25519_key, stdin=old),
        lambda: stage.alice._run("chat seal", *v1, stage.bob.x25519_key, stdin=TEXT),
    )


def _meet(stage: Stage) -> None:
    """Both pin the other's key, and take the other's chat key."""
    _pin(stage.alice, stage.bob)
    _pin(stage.bob, stage.alice)
    to_bob, to_alice = _key(stage.alice, BOB), _key(stage.bob, ALICE)
    _take(stage.bob, ALICE, stage.server.carry("chat key", to_bob))
    _take(stage.alice, BOB, to_alice)


def _pin(person: Victim, other: Victim) -> None:
    person._run("chat peer", f"--partner={other.user}", "--peer-key", other.x25519_key)


def _key(person: Victim, other: str, *options: str) -> str:
    return person._run("chat renew", f"--to={other}", *options)


def _take(person: Victim, other: str, document: str) -> str:
    return person._run("chat renew", f"--from={other}", stdin=document)


def _sent(person: Victim, other: str, message: str) -> str:
    sealed = person._run("chat send", f"--to={other}", f"--id={message}", stdin=TEXT)
    return json.loads(sealed)["encrypted_content"]


def _received(person: Victim, other: str, message: str, token: str, *options: str) -> bytes:
    return person._bytes("chat receive", f"--from={other}", f"--id={message}", *options, stdin=token)


def _received_line(person: Victim, other: str, line: dict) -> object:
    """One line of a batch, whose refusal is in the line."""
    ended = person.program.call("chat", "receive", *person.vault, f"--from={other}", "--jsonl", stdin=json.dumps(line).encode())
    error = json.loads(ended.stdout).get("error")
    if error:
        raise Refused(error["code"], error["exit"])
    return ended.stdout


def _check_genuine(stage: Stage, token: str, message: str) -> None:
    """The refusal left no trace."""
    same("the genuine message", TEXT, _received(stage.bob, ALICE, message, token))


def _mac(server: chat.Side, theirs: str, index: int) -> str:
    """As Alice's would be, under the server's own key."""
    key = server.agree(from_standard(theirs), b"", length_prefixed(LABEL, ALICE.encode(), BOB.encode()))
    said = length_prefixed(LABEL, CHAT.encode(), index.to_bytes(4, "big"), server.public)
    return url(hmac.digest(key, said, "sha256"))
