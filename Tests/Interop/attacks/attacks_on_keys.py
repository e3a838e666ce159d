"""What a server does to the couple key, to the phrase and to the documents with both: W1, W3, W8 to W10, W14 to W16."""

import json

from attack_stage import FORGED, Stage, all_refused, believed, tried
from checks import Refused, same
from partner.couple_key import CoupleKey, keyset_of, new_keyset, unwrapped
from partner.encoding import token_payload
from partner.habits import CODE_LETTERS
from partner.wrap import from_code, unwrap, wrap
from scene import changed, member
from server_couples import COUPLE, OLD, Victim

SECRET = b"where we meet"
CODES_TRIED = 8  # in place of 2^30


def read_field(stage: Stage) -> str:
    """Computes the couple key from the invite, and opens what Alice seals now."""
    return _read(stage.server.key(), stage.alice.seal_field(COUPLE, SECRET), SECRET, "W1")


def read_old_field(stage: Stage) -> str:
    """The same with what Alice sealed on the first day."""
    return _read(stage.server.key(), stage.server.seen["old field"], OLD, "W10")


def _read(key: CoupleKey, field: str, wanted: bytes, gap: str) -> str:
    """As the field names its key, and with the server's key under that name."""
    for each in (key, _under_name(key, field)):
        try:
            same("what the server reads", wanted, each.open_field(COUPLE, field))
            return f"possible ({gap})"
        except Refused:
            pass
    return "fails"


def _under_name(key: CoupleKey, field: str) -> CoupleKey:
    return CoupleKey(keyset_of(key.enabled()[0], int.from_bytes(token_payload("enc:v1:", field)[1:5], "big")))


def search_code(stage: Stage) -> str:
    """Tries codes on an invite that came without its own: with eight of a billion, one of which is right."""
    invite, code = stage.alice.invite(COUPLE, is_code_apart=True)
    near = [code[:5] + letter for letter in _around(code[5])]
    for each in near:
        try:
            phrase = from_code(member(invite, "recoveryPhrase"), each)
        except Refused:
            continue
        key = unwrapped(unwrap(json.loads(invite), phrase))
        return _read(key, stage.alice.seal_field(COUPLE, SECRET), SECRET, "W3")
    return "fails"


def _around(letter: str) -> str:
    start = max(0, CODE_LETTERS.index(letter) - CODES_TRIED + 1)
    return CODE_LETTERS[start : start + CODES_TRIED]


def new_phone(stage: Stage) -> str:
    """Hands a new phone, which has only the phrase, an answer that it forged under the key of the first day."""
    phrase, document = stage.alice.phrase(COUPLE), stage.alice.couple_document(COUPLE)
    stage.pair.alice = stage.alice.another()
    stage.alice.recover(COUPLE, document, phrase)
    is_noted = stage.alice.is_noted("answers and verified partners are gone")
    same("its state", "serverKnown", stage.alice.shown(COUPLE)["state"])
    stage.both_seal()
    said = tried(lambda: believed(stage.reveal(*stage.forgery(stage.impostor(), "hardened")), json.loads(FORGED)["answer"]))
    return said if is_noted else f"without a note, {said}"


def older_version(stage: Stage) -> str:
    """Says that the couple writes plaintext, to a device that knows better, and again when it has forgotten the couple."""
    document = json.loads(stage.alice.couple_document(COUPLE))
    lower = [json.dumps(document | {"encryptionVersion": version}) for version in (0, 1)] + ['{"encryptionVersion":0}']
    phrase = stage.alice.phrase(COUPLE)
    attempts = [lambda each=each: stage.alice.recover(COUPLE, each, phrase) for each in lower]
    said = all_refused(*attempts)
    stage.alice.forget(COUPLE)
    same("after it was forgotten", said, all_refused(*attempts))
    return said


def older_version_to_new_phone(stage: Stage) -> str:
    """Says to a device that never saw the couple that texts are still being encrypted, with and without a mark."""
    phrase, document, device = stage.alice.phrase(COUPLE), stage.alice.couple_document(COUPLE), stage.alice.another()
    marks = [{}, {"encryptionMigrationUsers": {}}, {"encryptionMigrationUsers": {"bob": True}}]
    lower = [changed(document, encryptionVersion=1, **each) for each in marks]
    said = all_refused(*(lambda each=each: device.recover(COUPLE, each, phrase) for each in lower))
    device.recover(COUPLE, changed(document, encryptionMigrationUsers={"bob": True}), phrase)
    same("with a mark at 2", 2, json.loads(device.couple_document(COUPLE))["encryptionVersion"])
    return said


def old_phrase(stage: Stage) -> str:
    """Keeps the invite's phrase, while Alice takes a new one and believes that it changes something."""
    stage.alice._run("couple rewrap", f"--couple={COUPLE}", "--phrase-file", "new.phrase")
    is_noted = stage.alice.is_noted("still opens today's key")
    key = unwrapped(unwrap(json.loads(stage.server.seen["old document"]), stage.server.phrase()))
    said = _read(key, stage.alice.seal_field(COUPLE, SECRET), SECRET, "W14")
    return "told: note" if said != "fails" and is_noted else said


def other_costs(stage: Stage) -> str:
    """Sends cheap costs, and costs that no phone has the memory for, with a document and with an invite."""
    phrase, device = stage.server.phrase(), stage.alice.another()
    costs = ('{"alg":"argon2id","m":8,"p":1,"t":1,"v":19}', '{"alg":"argon2id","m":4194304,"p":1,"t":3,"v":19}')
    costs += ('{"alg":"argon2id","m":46080,"p":1,"t":3,"v":16}', '{"alg":"argon2i","m":46080,"p":1,"t":3,"v":19}')
    documents = [changed(stage.server.seen["old document"], kdfParams=each) for each in costs]
    invites = [changed(stage.server.seen["invite"], kdfParams=each) for each in costs]
    recovers = (lambda each=each: device.recover(COUPLE, each, phrase) for each in documents)
    return all_refused(*recovers, *(lambda each=each: device.join(COUPLE, each) for each in invites))


def replaced_document(stage: Stage) -> str:
    """Replaces the stored document by one of its own, and Alice rehearses."""
    return tried(lambda: _rehearsed(stage, _planted(stage)))


def _rehearsed(stage: Stage, document: str) -> str:
    options = [f"--couple={COUPLE}", "--phrase-file", stage.alice._file("typed", stage.alice.phrase(COUPLE))]
    stage.alice._run("couple rehearse", *options, stdin=document)
    return "silent"


def replaced_and_recovered(stage: Stage) -> str:
    """The same to somebody who never rehearsed, on a new phone: it seals under a key of the server's."""
    document, phrase, device = _planted(stage), stage.alice.phrase(COUPLE), stage.alice.another()
    return tried(lambda: _sealed_under_planted(device, document, phrase))


def _sealed_under_planted(device: Victim, document: str, phrase: str) -> str:
    device.recover(COUPLE, document, phrase)
    return _read(unwrapped(unwrap(json.loads(document), phrase)), device.seal_field(COUPLE, SECRET), SECRET, "W16")


def _planted(stage: Stage) -> str:
    """Under the only phrase that the server ever knew."""
    made = wrap(CoupleKey(new_keyset()).binary(), stage.server.phrase())
    return json.dumps({"encryptionVersion": 2, **made})


def put_back_document(stage: Stage) -> str:
    """Puts the document of the first day back, to rehearsals and to a new phone, which have today's phrase."""
    phrase, device, old = stage.alice.phrase(COUPLE), stage.alice.another(), stage.server.seen["old document"]
    return all_refused(lambda: _rehearsed(stage, old), lambda: device.recover(COUPLE, old, phrase))


def old_invite_again(stage: Stage) -> str:
    """Sends Alice an invite with a key of its own for the couple that she has, and the old one."""
    made = wrap(CoupleKey(new_keyset()).binary(), stage.server.phrase())
    invites = [changed(stage.server.seen["invite"], **made)] + [stage.server.seen["invite"]] * stage.is_private
    return all_refused(*(lambda each=each: stage.alice.join(COUPLE, each) for each in invites))
