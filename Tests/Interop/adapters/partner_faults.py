"""Plants a fault in a copy of the Python partner, or takes the lie out of one that lies, and demands that a pairing fails over it.

A check that was never seen to fail proves nothing when it passes.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import pair_crafted
import pair_faults
import pair_stories
import pair_walks
import planting
from draw import Draw
from planting import ROOT

FOLDER = "Tests/Interop"
RUN = "import sys, pair_interop, runner; sys.exit(runner.run(pair_interop.SUITE))"  # without the golden values
SEED = 1
OPTIONS = {"pairing": ("situation", pair_stories.SITUATIONS), "tampered": ("fault", pair_faults.FAULTS)}
OPTIONS |= {"crafted": ("fault", pair_crafted.FAULTS), "walks": ("start", pair_walks.STARTS)}
WALKS = 12

ARCHIVE = "partner/archive.py"
LIFE, SIDES, CPACE = "partner/pairing_life.py", "partner/pairing_sides.py", "partner/cpace.py"
TRANSCRIPT, DOCUMENTS, UNION = "partner/transcript.py", "partner/pairing_documents.py", "partner/union.py"
TAMPERING, DAMAGE, CRAFTED = (f"stories/pair_{name}.py" for name in ("tampering", "damage", "crafted"))
INVITES, ACCEPTS = "pairing python->ours", "pairing ours->python"
JUDGES, LIES, SEALS = "tampered ours-x->python", "tampered python-x->ours", "crafted python-x->ours"
BOTH = "walks ours<->python"


@dataclass(frozen=True)
class Fault(planting.Fault):
    """A fault, the row and the kind of a case in which it shows, and what is said of it."""

    row: str
    kind: str
    words: str


def fault(title: str, file: str, line: str, faulty: str, row: str, kind: str, words: str) -> Fault:
    return Fault(title, f"{FOLDER}/{file}", line, faulty, (sys.executable, "-c", RUN), row, kind, words)


FAULTS = (
    fault(
        "zeros that fill more than a block", CPACE, "BLOCK - 1 - len(head)", "BLOCK - len(head)",
        ACCEPTS, "new couple", "Refused: codeMismatch",
    ),
    fault(
        "names and keys outside the session key", CPACE, "+ lv_cat(*initiator) + lv_cat(*responder)",
        "+ lv_cat(initiator[0], b\"\") + lv_cat(responder[0], b\"\")", INVITES, "new couple", "Refused: codeMismatch",
    ),
    fault(
        "the identity as a share", CPACE, "0 < number", "0 <= number",
        JUDGES, "identity in the offer", "where malformed was due",
    ),
    fault(
        "a share of which bit 255 is ignored", CPACE, 'number = int.from_bytes(encoding, "little")',
        'encoding = encoding[:-1] + bytes([encoding[-1] & 0x7F]); number = int.from_bytes(encoding, "little")',
        JUDGES, "bit 255 in the offer", "where malformed was due",
    ),
    fault(
        "no couple in CI", TRANSCRIPT, "couple.encode(), inviter.encode()", "inviter.encode()",
        INVITES, "new couple", "Refused: codeMismatch",
    ),
    fault(
        "one role for both", TRANSCRIPT, 'self.acceptor.data(b"reply")', 'self.acceptor.data(b"offer")',
        ACCEPTS, "new couple", "codeMismatch",
    ),
    fault(
        "the hold outside the tag", SIDES, 'self.keys.tag(b"reply", self.hold)', 'self.keys.tag(b"reply", b"")',
        ACCEPTS, "v1 couple", "Refused: codeMismatch",
    ),
    fault(
        "a reply whose tag is not compared", SIDES, 'if not keys.is_tag(reply.tag, b"reply", reply.hold):', "if False:",
        JUDGES, "wrong code", "taken, where codeMismatch was due",
    ),
    fault(
        "a grant whose tag is not compared", SIDES, 'if not self.keys.is_tag(grant.tag, b"grant", grant.sealed):', "if False:",
        JUDGES, "tag of the grant", "taken, where macInvalid was due",
    ),
    fault(
        "a low order that is not looked for", DOCUMENTS, "    except ValueError:\n        raise", "    except ValueError:\n        return key\n        raise",
        JUDGES, "low order in the offer", "where malformed was due",
    ),
    fault(
        "any purpose", DOCUMENTS, 'members.get("purpose") == "couple"', "True",
        JUDGES, "purpose of the reply", "where malformed was due",
    ),
    fault(
        "an invite that stays open after its verdict", LIFE, 'invite.status, invite.reply = "burned", reply', "invite.reply = reply",
        JUDGES, "wrong code", "taken, where inviteClosed was due",
    ),
    fault(
        "a grant for whoever comes", LIFE, "return _same(invite.reply == reply, invite.grant)", "return invite.grant",
        JUDGES, "second reply", "taken, where inviteUsed was due",
    ),
    fault(
        "a grant that is sealed anew", LIFE, "return _same(invite.reply == reply, invite.grant)",
        "return self._written(pairing_sides.granted(invite.side.judge(reply), reply.lookup, self._held(couple), self.phrase(couple)))",
        INVITES, "new couple", "the same grant",
    ),
    fault(
        "a second offer under one code", LIFE, '!= ("waiting", offer)', '!= ("waiting", answer.side.transcript.offer)',
        JUDGES, "second offer", "taken, where inviteUsed was due",
    ),
    fault(
        "a second code for one offer", LIFE, "elif answer.code != code:", "elif False:",
        JUDGES, "second code", "taken, where inviteUsed was due",
    ),
    fault(
        "an offer to another code", LIFE, "if offer.lookup != code.lookup:", "if False:",
        JUDGES, "offer to another", "taken, where authFailed was due",
    ),
    fault(
        "one's own key as the other's", LIFE, "if other.x25519 == self._us().x25519 or is_own_point(other.public_key, self.public_key):", "if False:",
        JUDGES, "own key in the offer", "taken, where partnerKeyMismatch was due",
    ),
    fault(
        "a second grant", LIFE, "return _same(answer.grant == grant, None)", "return None",
        JUDGES, "second grant", "taken, where inviteUsed was due",
    ),
    fault(
        "an old primary", UNION, "if ours.is_alone and not theirs:", "if ours.is_alone:",
        INVITES, "lost phone", "Refused: epochMismatch",
    ),
    fault(
        "an old phrase", LIFE, "else self.habits.new_phrase(self.draw)", "else ours.phrase",
        INVITES, "v1 couple", "that the phrase is new",
    ),
    fault(
        "an epoch that is not counted", UNION, "if theirs else 0) + 1", "if theirs else 0)",
        INVITES, "v1 couple", "Mismatch: the epoch",
    ),
    fault(
        "the acceptor's epoch left out", UNION, "_near(theirs.epoch, ours.epoch) if theirs else 0", "0",
        INVITES, "lost rekey", "Mismatch: the epoch",
    ),
    fault(
        "a key that no server saw, taken for one that it saw", LIFE,
        "CoupleKey(made.keyset).with_private_primary()", "CoupleKey(made.keyset)",
        ACCEPTS, "new couple", "Mismatch: authenticity",
    ),
    fault(
        "a partner's key that is not kept", LIFE, "self.memory.x25519_of_others[couple, other.user] = other.x25519",
        "self.memory.x25519_of_others[couple, other.user] = self.x25519.public", ACCEPTS, "new couple", "the partner's keys at the other",
    ),
    fault(
        "keys that are left out", UNION, "theirs.keyset if theirs else tink_pb2.Keyset()", "tink_pb2.Keyset()",
        INVITES, "two couples", "Mismatch: the keys",
    ),
    fault(
        "no key of one's own", UNION, "_near(granted.epoch, epoch), _few(keyset)", "_near(granted.epoch, epoch), granted.keyset",
        ACCEPTS, "retired key", "the retired key",
    ),
    fault(
        "an invite while an answer waits", LIFE, "if self._waiting(couple):", "if False:",
        BOTH, "v1 couple", "what is said in step",
    ),
    fault(
        "a new key without asking", LIFE, "and not new_key:", "and False:",
        JUDGES, "phone of the inviter", "taken, where partnerKeyChanged was due",
    ),
    fault(
        "a third person", LIFE, "if known and other.user not in known:", "if False:",
        JUDGES, "a third acceptor", "taken, where otherPartner was due",
    ),
    fault(
        "one's own name as the other's", LIFE, "if other.user == self.user:", "if False:",
        JUDGES, "own name in the offer", "taken, where usage was due",
    ),
    fault(
        "a hold that nobody joined", LIFE, "held = self._held(offer.couple)", "held = None",
        BOTH, "two couples", "what is said in step",
    ),
    fault(
        "an archive without its day", ARCHIVE, 'f"ck.answers/{question.place}/{question.id}"', 'f"ck.answers/{question.id}"',
        INVITES, "new couple", "Refused: authFailed",
    ),
    fault(
        "an archive with another version", ARCHIVE, '"version": 1,', '"version": 2,',
        ACCEPTS, "new couple", "Mismatch: the archive",
    ),
    fault(
        "no lie in a token", DAMAGE, "return box[:first] + content + box[last:]", "return box",
        LIES, "tag of the reply", "taken, where codeMismatch was due",
    ),
    fault(
        "no slip in the code", TAMPERING, '("0" if secret[0] != "0" else "1") + secret[1:]', "secret",
        LIES, "wrong code", "taken, where codeMismatch was due",
    ),
    fault(
        "no lie in the offer", TAMPERING,
        "reply = meeting.accept(changed(meeting.offer, **{name: new(meeting)}))", "reply = meeting.accept()",
        LIES, "other couple", "taken, where codeMismatch was due",
    ),
    fault(
        "no lie in the reply", TAMPERING, "reply = changed(meeting.reply, **{name: new(meeting)})", "reply = meeting.reply",
        LIES, "other acceptor", "taken, where codeMismatch was due",
    ),
    fault(
        "no lie in the grant", TAMPERING, "grant = changed(meeting.grant, **{name: new(meeting)})", "grant = meeting.grant",
        LIES, "what is sealed", "taken, where macInvalid was due",
    ),
    fault(
        "no lie in what is held", CRAFTED,
        'change(_held(meeting.acceptor, meeting)).items(b"hold")', '_held(meeting.acceptor, meeting).items(b"hold")',
        SEALS, "hold: other bytes of one id", "taken, where keyMismatch was due",
    ),
    fault(
        "no lie in what is granted", CRAFTED,
        "change(_held(after.inviter, after)), phrase)", "_held(after.inviter, after), phrase)",
        SEALS, "grant: retired primary", "taken, where keyMismatch was due",
    ),
)  # fmt: skip


def planted(fault: Fault, scratch: Path) -> list[str]:
    """A copy of the whole folder, one file of which has the fault."""
    shutil.copytree(ROOT / FOLDER, scratch, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (scratch / Path(fault.adapter).relative_to(FOLDER)).write_text(planting.with_fault(fault))
    folders = [scratch, *(path for path in scratch.iterdir() if path.is_dir())]
    return ["env", f"PYTHONPATH={':'.join(map(str, folders))}", *fault.command]


def judged(program: str, fault: Fault, command: list[str]) -> int:
    """Runs cases until one fails, and gives back whether none did, or one for another reason. A walk may miss a fault."""
    for index in islice(_indices(fault), WALKS if fault.row == BOTH else 1):
        arguments = ["--program", program, "--seed", str(SEED), "--only", f"{fault.row} {index}"]
        ended = subprocess.run([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ended.returncode:
            break
    said = ended.stdout.partition("mismatch: ")[2].splitlines()[1:2]
    found = ended.returncode == 1 and any(fault.words in line for line in said)
    print(f"{fault.title}: {' '.join(said)[:100]}")
    return planting.report(fault, [] if found else [f"{fault.row}, {fault.kind}: not {fault.words!r}: {ended.stdout[-200:]}"])


def _indices(fault: Fault) -> Iterator[int]:
    """The cases of the row that are of the fault's kind."""
    dimension, options = OPTIONS[fault.row.split()[0]]
    return (each for each in count() if Draw(SEED, fault.row, each).turn(dimension, options) == fault.kind)


if __name__ == "__main__":
    sys.exit(planting.run(FAULTS, judged, planted))
