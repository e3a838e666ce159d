"""What a server does to fields: W1, W10, W11, W13, W21."""

import json

import two_keys
from attack_stage import Stage, all_refused, tried
from checks import same
from partner import documents, payload
from partner.couple_key import CoupleKey, new_keyset
from partner.encoding import token, token_payload
from partner.memory import Record
from partner.sealed import SealedAnswer
from server_couples import ALICE, COUPLE

FORGED = b"what the server wrote"


def forge(stage: Stage) -> str:
    """Writes a field under the key of the first day. Alice opens it, and asks for nothing but the text."""
    genuine = stage.bob.seal_field(COUPLE, b"genuine")
    same("what Alice reads", b"genuine", stage.alice.open_field(COUPLE, genuine))
    same("what is said of a genuine one", "", stage.alice.program.said)
    same("what Alice reads", FORGED, stage.alice.open_field(COUPLE, stage.server.key().seal_field(COUPLE, FORGED)))
    return "told: note" if stage.alice.is_noted("the server may have written this field") else "possible (W1)"


def forge_and_tell(stage: Stage) -> str:
    """The same to somebody who asks with `--json` where the key came from."""
    field = stage.server.key().seal_field(COUPLE, FORGED)
    told = stage.alice.told("field open", f"--couple={COUPLE}", stdin=field)
    same("what Alice reads", FORGED.decode(), told["plaintext"])
    return f"told: {told['origin']}" if told["origin"] not in ("rekey", "pairing") else "silent"


def forge_but_demanded(stage: Stage) -> str:
    """The same to somebody who demands a key that the server never saw."""
    field = stage.server.key().seal_field(COUPLE, FORGED)
    return all_refused(lambda: stage.alice.told("field open", f"--couple={COUPLE}", "--require-private", stdin=field))


def forge_as_stranger(stage: Stage) -> str:
    """Writes a field under a key of its own, with the id of the couple's."""
    real = token_payload("enc:v1:", stage.alice.seal_field(COUPLE, b"any"))
    own = CoupleKey(new_keyset(int.from_bytes(real[1:5], "big")))
    return all_refused(lambda: stage.alice.open_field(COUPLE, own.seal_field(COUPLE, FORGED)))


def launder(stage: Stage) -> str:
    """Puts a forged field among those that Alice opens, and seals again under her new key."""
    lines = json.dumps({"id": 1, "token": stage.server.key().seal_field(COUPLE, FORGED)}) + "\n"
    opened = stage.alice._run("field open", f"--couple={COUPLE}", "--jsonl", stdin=lines)
    options = ["field", "seal", *stage.alice.vault, f"--couple={COUPLE}", "--require-private", "--jsonl"]
    ended = stage.alice.program.call(*options, stdin=opened.encode())
    said = json.loads(ended.stdout)["error"]["code"] if ended.returncode in (8, 9) else "silent"
    return f"refused: {said}" if b'"token"' not in ended.stdout else "silent"


def swap(stage: Stage) -> str:
    """Exchanges two fields of Alice's, and Bob opens them."""
    fields = [stage.alice.seal_field(COUPLE, each) for each in (b"the first", b"the second")]
    read = [stage.bob.open_field(COUPLE, each) for each in reversed(fields)]
    return "possible (W11)" if read == [b"the second", b"the first"] else "fails"


def swap_placed(stage: Stage) -> str:
    """Exchanges two fields that Alice sealed for their places."""
    places = ["--place=users/alice/status", "--place=users/bob/status"]
    fields = [stage.alice.seal_field(COUPLE, b"at home", each) for each in places]
    same("what Bob reads", b"at home", stage.bob.open_field(COUPLE, fields[0], places[0]))
    return all_refused(*(lambda at=at: stage.bob.open_field(COUPLE, *at) for at in zip(reversed(fields), places)))


def unplace(stage: Stage) -> str:
    """Shows a field that Alice sealed for no place where Bob reads one of a place."""
    old = stage.alice.seal_field(COUPLE, b"before")
    return all_refused(lambda: stage.bob.open_field(COUPLE, old, "--place=users/alice/status"))


def replay_placed(stage: Stage) -> str:
    """Puts an old field in the place of a new one, which is its own place."""
    place = "--place=users/alice/status"
    old = stage.alice.seal_field(COUPLE, b"Friday", place)
    stage.alice.seal_field(COUPLE, b"Saturday", place)
    return "possible (W11)" if stage.bob.open_field(COUPLE, old, place) == b"Friday" else "fails"


def replay(stage: Stage) -> str:
    """Puts an old field in the place of a new one."""
    old = stage.alice.seal_field(COUPLE, b"Friday")
    stage.alice.seal_field(COUPLE, b"Saturday")
    return "possible (W11)" if stage.bob.open_field(COUPLE, old) == b"Friday" else "fails"


def move(stage: Stage) -> str:
    """Shows a field of this couple as one of another couple of the same two people, with the same key."""
    stage.alice.recover("couple_2", stage.alice.couple_document(COUPLE), stage.alice.phrase(COUPLE))
    field = stage.alice.seal_field(COUPLE, b"of couple_1")
    return all_refused(lambda: stage.alice.open_field("couple_2", field))


def retired(stage: Stage) -> str:
    """Forges under the key of the first day when Alice has retired it."""
    for key in stage.alice.shown(COUPLE)["keys"]:
        if not key["primary"]:
            stage.alice.retire(COUPLE, key["keyId"])
    field = stage.server.key().seal_field(COUPLE, FORGED)
    return all_refused(lambda: stage.alice.open_field(COUPLE, field))


def measure(stage: Stage) -> str:
    """Tells from the length of a field what is in it."""
    lengths = [len(token_payload("enc:v1:", stage.alice.seal_field(COUPLE, each))) for each in (b"yes", b"no")]
    return "possible (W21)" if lengths[0] - lengths[1] == 1 else "fails"


def two_plaintexts(stage: Stage) -> str:
    """Makes one field that opens with two keys that it knows, to two texts."""
    keysets = [new_keyset(7), new_keyset(7)]
    field, texts = two_keys.box(keysets, COUPLE.encode(), (b"the first text..", b"the second text."))
    read = [stage.alice.program.open_field(each.SerializeToString(), COUPLE, field) for each in keysets]
    same("what each key opens", texts, read)
    return "possible (W13)" if read[0] != read[1] else "fails"


def two_answers(stage: Stage) -> str:
    """Bob's program is the server's: one answer, one commitment, and two one-time keys to choose from."""
    stage.both_seal()
    author, keysets = stage.impostor(), [new_keyset(7), new_keyset(7)]
    context = author.context(stage.question)
    box, texts = two_keys.box(keysets, context.of_payload(), (b"the first text..", b"the second text."))
    said = []
    for keyset in keysets:
        made = SealedAnswer(context, token("sealed:v1:", box), payload.commitment(texts[0]), keyset.SerializeToString())
        author.memory.records[stage.question] = Record(made)
        shown = documents.written(documents.answer(made, False, False))
        release = author.release(stage.question, ALICE, stage.alice.public_key, stage.ours)
        said.append(tried(lambda: str(stage.reveal(shown, release))))
    same("the text that was committed to is no JSON", "refused: malformed", said[0])
    return said[1]
