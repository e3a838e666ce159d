"""What a server does to chats, keys and texts of any couple: W5, W7, W12, W17, W20, W22."""

import base64
import json
from collections.abc import Callable

from attack_stage import Stage, all_refused
from checks import same
from partner import chat
from partner.encoding import standard
from partner.pairing_code import read as read_code
from partner.pairing_documents import read_reply
from partner.person import Partner
from scene import changed, member
from server_couples import COUPLE

CHAT = "alice_bob"
TEXT = b"run at 7?"
# RFC 7748 has a few points whose multiples are zero: X25519 of them is known to all.
LOW_ORDER = (0, 1, 2**255 - 20, 2**255 - 19, 2**255 - 18)
LOW_ORDER += (325606250916557431795983626356110631294008115727848805560023387167927233504,)
LOW_ORDER += (39382357235489614581723060781553021112529911719440698176882885853963445705823,)


def low_order(stage: Stage) -> str:
    """Gives Alice each key of low order as Bob's, with and without the bit that nobody reads."""
    keys = [each + high for each in LOW_ORDER for high in (0, 2**255)]
    peers = [standard(key.to_bytes(32, "little")) for key in keys]
    return all_refused(*(lambda each=each: _sealed(stage, each) for each in peers))


def respelled_key(stage: Stage) -> str:
    """Gives Alice Bob's key with the bit that nobody reads, and 9 as the prime and 9: messages would open, and digits differ."""
    key = int.from_bytes(chat.decode(stage.bob.x25519_key), "little")
    peers = [standard(each.to_bytes(32, "little")) for each in (key + 2**255, 2**255 - 10, 2**255 + 9)]
    return all_refused(*(lambda each=each: _sealed(stage, each) for each in peers))


def _sealed(stage: Stage, peer: str, text: bytes = TEXT) -> str:
    return stage.alice._run("chat seal", "--profile", "fitlink", f"--chat={CHAT}", "--peer-key", peer, stdin=text)


def _opened(person: object, peer: str, message: str) -> bytes:
    return person._bytes("chat open", "--profile", "fitlink", f"--chat={CHAT}", "--peer-key", peer, stdin=message)


def reflect(stage: Stage) -> str:
    """Returns Alice's message to her as one of Bob's."""
    message = _sealed(stage, stage.bob.x25519_key)
    return _possible("W12", TEXT == _opened(stage.alice, stage.bob.x25519_key, message))


def replay(stage: Stage) -> str:
    """Delivers two messages in another order, one of them twice, and leaves a third out."""
    messages = [_sealed(stage, stage.bob.x25519_key, each) for each in (b"1", b"2", b"3")]
    read = [_opened(stage.bob, stage.alice.x25519_key, messages[place]) for place in (2, 0, 2)]
    return _possible("W12", read == [b"3", b"1", b"3"])


def own_chat_key(stage: Stage) -> str:
    """Changes a message, and sends one under a key of its own."""
    message, server = _sealed(stage, stage.bob.x25519_key), chat.Side(bytes(range(32)))
    key = server.fitlink_key(chat.decode(stage.bob.x25519_key), CHAT)
    forged = json.dumps(chat.document(chat.seal(key, TEXT)))
    box = chat.box_of(message.encode())
    flipped = json.dumps(chat.document(box[:-1] + bytes([box[-1] ^ 1])))
    return all_refused(*(lambda each=each: _opened(stage.bob, stage.alice.x25519_key, each) for each in (forged, flipped)))


def peer_key(stage: Stage) -> str:
    """Names its own X25519 key as Bob's when Alice writes to him, and reads what she writes."""
    server = chat.Side(bytes(range(32)))
    message = _sealed(stage, standard(server.public))
    is_told = "no pairing brought this peer key" in stage.alice.program.said
    if not is_told:
        same("a sign", "", stage.alice.program.said)
    key = server.fitlink_key(chat.decode(stage.alice.x25519_key), CHAT)
    possible = _possible("W4", chat.open_box(key, chat.box_of(message.encode())) == TEXT)
    return "told: note" if is_told else possible


def box_key(stage: Stage) -> str:
    """Names its own key as Bob's when Alice seals a keybox that is no answer's, and opens it."""
    program, context = stage.alice.program, "files|alice|bob"
    private = program.new_keyset("--type", "ecies-p256")
    box = program.seal_box(program.keyset("public", private), context, TEXT)
    same("a sign", "", program.said)
    return _possible("W4", program.open_box(private, context, box) == TEXT)


def keybox_of_anybody(stage: Stage) -> str:
    """Sends Bob a keybox as if Alice had made it."""
    program, context = stage.bob.program, "files|alice|bob"
    box = program.seal_box(stage.bob.public_key.encode(), context, b"a key of the server's", "token")
    read = stage.bob._bytes("keybox open", "--context", context, "-o", "-", stdin=_keybox(box))
    return _possible("W5", read == b"a key of the server's")


def _keybox(box: bytes) -> str:
    return "keybox:v1:" + base64.urlsafe_b64encode(box).rstrip(b"=").decode()


def private_key(stage: Stage) -> str:
    """Is handed the private keys, as a quantum computer would find them, and opens a recorded chat and a recorded keybox."""
    program = stage.alice.program
    program.run("x25519", "new", "-o", "found.x25519")
    peer = program.run("x25519", "public", "--private-key-file", "found.x25519").decode().strip()
    message = _sealed(stage, peer)
    found = ["--private-key-file", "found.x25519", "--peer-key", stage.alice.x25519_key]
    read = program.run("chat", "open", "--profile", "fitlink", f"--chat={CHAT}", *found, stdin=message.encode())
    private = program.new_keyset("--type", "ecies-p256")
    box = program.seal_box(program.keyset("public", private), "recorded", TEXT)
    return _possible("W17", [read, program.open_box(private, "recorded", box)] == [TEXT, TEXT])


def scalar_of_pairing(stage: Stage) -> str:
    """Is handed the logarithm of an offer's share, for the right code, and finds that the recorded reply fits it."""
    inviter = Partner(stage.draw, "carol")
    offer, typed = inviter.offer("couple_3")
    reply = read_reply(stage.alice.accept(offer, typed))
    side = inviter.invites[read_code(typed).lookup].side
    keys = side.judge(reply)
    return _possible("W17", keys.is_tag(reply.tag, b"reply", reply.hold))


def separators(stage: Stage) -> str:
    """Puts a `|` into each id, so that two contexts become one text."""
    stage.both_seal()
    release, ids = stage.release_by_bob(), ("alice|bob", "q_42|alice")
    shown = [changed(stage.theirs, userId=ids[0]), changed(stage.theirs, questionId=ids[1])]
    named = [changed(release, senderId=ids[0]), changed(release, recipientId=ids[0])]
    couple = f"{COUPLE}|q_42"
    return all_refused(
        *(lambda each=each: stage.reveal(each, release) for each in shown),
        *(lambda each=each: stage.reveal(stage.theirs, each) for each in named),
        lambda: stage.alice.open_field(couple, stage.alice.seal_field(COUPLE, b"any")),
        lambda: stage.alice.join(couple, stage.server.seen["invite"]),
        lambda: stage.alice.accept(changed(_offer(stage), coupleId=couple), "000000-000000"),
    )


def _offer(stage: Stage) -> str:
    return Partner(stage.draw, "carol").offer("couple_3")[0]


RESPELLED: dict[str, Callable[[str], str]] = {
    "padded": lambda token: token + "=",
    "a space inside": lambda token: token[:20] + " " + token[20:],
    "another alphabet": lambda token: token.translate({ord("-"): "+", ord("_"): "/"}) + "+",
    "an upper-case prefix": lambda token: token[0].upper() + token[1:],
}
# Of 32 bytes, whose last letter has two bits too many.
LEFT_OVER = {"bits that are left over": lambda token: token[:-1] + chr(ord(token[-1]) + 1)}


def respelled(stage: Stage) -> str:
    """Writes the tokens of a genuine answer, its release and a field in other ways."""
    stage.both_seal()
    release, field = stage.release_by_bob(), stage.alice.seal_field(COUPLE, b"four")
    spelled = [*_respelled(stage.theirs, "commitmentHash", *RESPELLED, "bits that are left over")]
    spelled += [*_respelled(stage.theirs, "encryptedPayload", *RESPELLED), *_respelled(release, "encryptedAnswerKey", *RESPELLED)]
    fields = [field.replace("enc:v1:", "ENC:v1:"), field.rstrip("=") if field.endswith("=") else field + "="]
    said = all_refused(
        *(lambda each=each: _shown(stage, each, release) for each in spelled),
        *(lambda each=each: stage.alice.open_field(COUPLE, each) for each in fields),
    )
    stage.check_genuine(release)
    return said


def _respelled(document: str, name: str, *ways: str) -> list[str]:
    return [changed(document, **{name: (RESPELLED | LEFT_OVER)[way](member(document, name))}) for way in ways]


def _shown(stage: Stage, document: str, release: str) -> object:
    is_release = "encryptedAnswerKey" in json.loads(document)
    return stage.reveal(stage.theirs, document) if is_release else stage.reveal(document, release)


def _possible(gap: str, holds: bool) -> str:
    same("that the server got what it wanted", True, holds)
    return f"possible ({gap})"
