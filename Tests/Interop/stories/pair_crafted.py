"""What a partner seals who knew the code, and lies: tags are right, and the judge must refuse what is in it."""

from collections.abc import Callable

from tink.proto import aes_gcm_pb2, tink_pb2

from checks import must_say
from crafted_phrases import GOOD, PHRASES
from draw import Draw
from meeting import Meeting
from pair_faults import closed, taken
from partner import pairing_sides
from partner.couple_key import keyset_of, new_keyset
from partner.documents import written
from partner.pairing_documents import read_reply
from partner.pairing_sides import Acceptor, Held
from people import new_names, new_person
from program import Program

Attempt = Callable[[], object]
Change = Callable[[Held], Held]


def hold(change: Change) -> Callable[[Meeting], Attempt]:
    """The judge invites, and the partner says that it holds something else than it does."""

    def craft(meeting: Meeting) -> Attempt:
        _share(meeting, meeting.inviter, meeting.acceptor)
        side = _answer(meeting)
        sealed = side.keys.seal(b"hold", change(_held(meeting.acceptor, meeting)).items(b"hold"))
        reply = written(Acceptor(side.transcript, side.keys, sealed).document())
        return lambda: meeting.confirm(reply)

    return craft


def hold_in_another_form(meeting: Meeting) -> Attempt:
    """Sealed as what is granted would be."""
    _share(meeting, meeting.inviter, meeting.acceptor)
    side = _answer(meeting)
    sealed = side.keys.seal(b"hold", _held(meeting.acceptor, meeting).items(b"couple"))
    return lambda: meeting.confirm(written(Acceptor(side.transcript, side.keys, sealed).document()))


def grant(change: Change, phrase: str = GOOD) -> Callable[[Meeting], Attempt]:
    """The partner invites, and grants something else than both hold. The judge has retired a key before."""

    def craft(meeting: Meeting) -> Attempt:
        after = _prepared(meeting)
        invite = after.inviter.invites[after.code.lookup].side
        keys = invite.judge(read_reply(after.reply))
        after.confirm()
        made = pairing_sides.granted(keys, after.code.lookup, change(_held(after.inviter, after)), phrase)
        return lambda: after.finish(written(made))

    return craft


def _prepared(meeting: Meeting) -> Meeting:
    """They have paired once before; the judge has retired the first key, that of the invite."""
    _share(meeting, meeting.acceptor, meeting.inviter)
    Meeting(meeting.draw, meeting.couple, meeting.inviter, meeting.acceptor).pair()
    meeting.retired = meeting.acceptor.key_ids(meeting.couple)[0]
    meeting.acceptor.retire(meeting.couple, meeting.retired)
    return meeting


def _share(meeting: Meeting, ours: object, python: object) -> None:
    """A couple of version 1."""
    ours.create(meeting.couple)
    python.join(meeting.couple, ours.invite(meeting.couple)[0])


def _answer(meeting: Meeting) -> Acceptor:
    meeting.accept()
    return meeting.acceptor.answers[meeting.code.lookup].side


def _held(python: object, meeting: Meeting) -> Held:
    couple = python.memory.couple(meeting.couple)
    return Held(couple.epoch, couple.key.keyset)


def with_keys(change: Callable[[tink_pb2.Keyset], None]) -> Change:
    def changed(held: Held) -> Held:
        keyset = tink_pb2.Keyset.FromString(held.keyset.SerializeToString())
        change(keyset)
        return Held(held.epoch, keyset)

    return changed


def with_epoch(epoch: Callable[[int], int]) -> Change:
    return lambda held: Held(epoch(held.epoch), held.keyset)


def _other_bytes(keyset: tink_pb2.Keyset) -> None:
    """The oldest key that both have keeps its id."""
    shared = keyset.key[-2] if len(keyset.key) > 1 else keyset.key[0]
    shared.key_data.CopyFrom(new_keyset().key[0].key_data)


def _other_prefix(keyset: tink_pb2.Keyset) -> None:
    shared = keyset.key[-2] if len(keyset.key) > 1 else keyset.key[0]
    shared.output_prefix_type = tink_pb2.RAW


def _disabled(keyset: tink_pb2.Keyset) -> None:
    keyset.key.append(new_keyset().key[0])
    keyset.key[-1].status = tink_pb2.DISABLED


def _aes_128(keyset: tink_pb2.Keyset) -> None:
    added = keyset_of(bytes(16), 1).key[0]
    added.key_data.value = aes_gcm_pb2.AesGcmKey(key_value=bytes(16)).SerializeToString()
    keyset.key.append(added)


def _many(keyset: tink_pb2.Keyset) -> None:
    keyset.key.extend(new_keyset(1000 + number).key[0] for number in range(32 - len(keyset.key) + 1))


def _32(keyset: tink_pb2.Keyset) -> None:
    """As many as there may be, without the new primary."""
    keyset.key.extend(new_keyset(1000 + number).key[0] for number in range(32 - len(keyset.key)))


def _retired(keyset: tink_pb2.Keyset) -> None:
    """The first is the one that the judge retired; the partner still has it."""
    keyset.primary_key_id = keyset.key[0].key_id


def _retired_bytes(keyset: tink_pb2.Keyset) -> None:
    """As a program has it that numbers keys anew."""
    keyset.key.append(new_keyset().key[0])
    keyset.key[-1].key_data.CopyFrom(keyset.key[0].key_data)
    keyset.primary_key_id = keyset.key[-1].key_id


def _held_by_id(keyset: tink_pb2.Keyset) -> None:
    keyset.primary_key_id = keyset.key[1].key_id


def _held_by_bytes(keyset: tink_pb2.Keyset) -> None:
    keyset.key[-1].key_data.CopyFrom(keyset.key[1].key_data)


LIMIT, MALFORMED, MISMATCH, REFUSED = (6, "limit"), (5, "malformed"), (1, "keyMismatch"), (5, "phraseRefused")

# Who the judge is, the refusal, and how it comes about. A hold is a verdict; a grant is not.
FAULTS = {
    "hold: other bytes of one id": ("inviter", *MISMATCH, hold(with_keys(_other_bytes))),
    "hold: other prefix of one id": ("inviter", *MISMATCH, hold(with_keys(_other_prefix))),
    "hold: disabled key": ("inviter", *MALFORMED, hold(with_keys(_disabled))),
    "hold: AES-128": ("inviter", *MALFORMED, hold(with_keys(_aes_128))),
    "hold: another form": ("inviter", *MALFORMED, hold_in_another_form),
    "hold: 32 keys": ("inviter", *LIMIT, hold(with_keys(_32))),
    "hold: epoch of 1001": ("inviter", *LIMIT, hold(with_epoch(lambda _: 1001))),
    "hold: highest epoch": ("inviter", *LIMIT, hold(with_epoch(lambda _: 2**32 - 1))),
    "grant: retired primary": ("acceptor", *MISMATCH, grant(with_keys(_retired))),
    "grant: primary held by id": ("acceptor", *MISMATCH, grant(with_keys(_held_by_id))),
    "grant: primary held by bytes": ("acceptor", *MISMATCH, grant(with_keys(_held_by_bytes))),
    "grant: other bytes of one id": ("acceptor", *MISMATCH, grant(with_keys(_other_bytes))),
    "grant: other prefix of one id": ("acceptor", *MISMATCH, grant(with_keys(_other_prefix))),
    "grant: older epoch": ("acceptor", 1, "epochMismatch", grant(with_epoch(lambda _: 0))),
    "grant: far epoch": ("acceptor", *LIMIT, grant(with_epoch(lambda epoch: epoch + 1000))),
    "grant: highest epoch": ("acceptor", *LIMIT, grant(with_epoch(lambda _: 2**32 - 1))),
    "grant: 33 keys": ("acceptor", *MALFORMED, grant(with_keys(_many))),
    "grant: disabled key": ("acceptor", *MALFORMED, grant(with_keys(_disabled))),
    "grant: AES-128": ("acceptor", *MALFORMED, grant(with_keys(_aes_128))),
    "grant: retired key under another id": ("acceptor", *MISMATCH, grant(with_keys(_retired_bytes))),
    "grant: no phrase": ("acceptor", *REFUSED, grant(with_keys(lambda _: None), phrase="")),
}
FAULTS |= {
    f"grant: phrase: {name}": ("acceptor", *REFUSED, grant(with_keys(lambda _: None), phrase=text))
    for name, text in PHRASES.items()
}


def refused(judge: str) -> Callable[[Draw, Program], dict[str, str]]:
    return lambda draw, program: _refused(draw, program, judge)


def _refused(draw: Draw, program: Program, judge: str) -> dict[str, str]:
    fault = draw.turn("fault", FAULTS)
    role, exit_status, code, craft = FAULTS[fault]
    sides = (judge, "python") if role == "inviter" else ("python", judge)
    couple, *users = new_names(draw)
    meeting = Meeting(draw, couple, *(new_person(side, draw, program, user) for side, user in zip(sides, users)))
    must_say(exit_status, code, craft(meeting))
    (closed if role == "inviter" else taken)(meeting)
    return {"fault": fault}
