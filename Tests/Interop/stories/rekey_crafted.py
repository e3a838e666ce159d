"""What a verified partner's program may put into a rekey whose MAC is right, and the judge must refuse, or leave out."""

from collections.abc import Callable
from dataclasses import dataclass

from tink.proto import tink_pb2

from checks import must_say, same
from crafted_phrases import PHRASES
from draw import Draw
from meeting import Meeting
from partner import rekey
from partner.couple_key import CoupleKey, new_keyset, unwrapped
from partner.documents import read
from partner.person import Partner
from partner.wrap import unwrap
from people import FIRST_USER, Person, new_names, new_person
from program import Program


@dataclass
class Sending:
    """Both have paired twice, and the judge has retired the first of the two keys."""

    draw: Draw
    couple: str
    python: Partner
    ours: Person

    def retired(self) -> tink_pb2.Keyset.Key:
        return self.python.memory.couple(self.couple).key.keyset.key[0]

    def keys(self, *more: tink_pb2.Keyset.Key) -> tink_pb2.Keyset:
        """A new primary, the keys that both have, and more."""
        made, shared = new_keyset(), self.python.memory.couple(self.couple).key.keyset.key[1:]
        made.key.extend([*shared, *more])
        return made

    def send(self, keyset: tink_pb2.Keyset, phrase: str) -> None:
        route = rekey.Route(self.couple, self.python.user, self.ours.user)
        epoch = self.python.epoch(self.couple) + 1
        document = rekey.document(route, epoch, keyset, phrase, self.python.identity, self.ours.public_key)
        self.ours.take_rekey(self.python.user, document, self.couple)


Craft = Callable[[Sending], None]


def phrase(text: str) -> Craft:
    return lambda sending: sending.send(sending.keys(), text)


def retired(sending: Sending) -> None:
    """Its 32 bytes seal, under another id."""
    keyset = sending.keys(_renumbered(sending.retired()))
    keyset.primary_key_id = keyset.key[-1].key_id
    sending.send(keyset, _good_phrase(sending))


def _renumbered(key: tink_pb2.Keyset.Key) -> tink_pb2.Keyset.Key:
    other = new_keyset().key[0]
    other.key_data.CopyFrom(key.key_data)
    return other


def _good_phrase(sending: Sending) -> str:
    return sending.python.habits.new_phrase(sending.draw)


FAULTS = {f"phrase: {name}": (5, "phraseRefused", phrase(text)) for name, text in PHRASES.items()}
FAULTS |= {"a retired key as the primary": (1, "keyMismatch", retired)}


def refused(judge: str) -> Callable[[Draw, Program], dict[str, str]]:
    return lambda draw, program: _refused(draw, program, judge)


def _refused(draw: Draw, program: Program, judge: str) -> dict[str, str]:
    fault = draw.turn("fault", FAULTS)
    exit_status, code, craft = FAULTS[fault]
    couple, user, _ = new_names(draw)
    sending = Sending(draw, couple, Partner(draw, FIRST_USER), new_person(judge, draw, program, user))
    for _ in range(2):
        Meeting(draw, couple, sending.python, sending.ours).pair()
    sending.ours.retire(couple, sending.retired().key_id)
    must_say(exit_status, code, lambda: craft(sending))
    _taken(sending)
    return {"fault": fault}


def _taken(sending: Sending) -> None:
    """The right one is, without the retired key that it brings under another id, and the judge gives its phrase."""
    returning = _renumbered(sending.retired())
    keyset, text = sending.keys(returning), _good_phrase(sending)
    sending.send(keyset, text)
    same("the phrase", text, sending.ours.phrase(sending.couple))
    same("that the retired key is away", False, returning.key_id in sending.ours.key_ids(sending.couple))
    same("the field", b"new", CoupleKey(keyset).open_field(sending.couple, sending.ours.seal_field(sending.couple, b"new")))
    stored = unwrapped(unwrap(read("couple", sending.ours.couple_document(sending.couple)), text))
    same("the stored key", CoupleKey(keyset).fingerprint(sending.couple), stored.fingerprint(sending.couple))
