"""The partner: one person with one device, on which everything is done in Python."""

from tink import hybrid, new_keyset_handle, proto_keyset_format, secret_key_access
from tink.proto import tink_pb2

from checks import Refused
from draw import Draw
from partner import archive, documents, payload, reveal
from partner.contexts import Context, Question
from partner.documents import written
from partner.habits import ORDINARY, Habits
from partner.memory import Record
from partner.pairing_life import PairingLife
from partner.reveal import Revealed, Shown
from partner.sealed import keybox, opened_keybox, opened_payload, public_token, sealed


class Partner(PairingLife):
    """Does what `Device` does, by the same names."""

    has_archives = True

    def __init__(self, draw: Draw, user: str, habits: Habits = ORDINARY) -> None:
        super().__init__(draw, habits)
        self.user = user
        self.identity = _new_identity()
        self.public_key = public_token(self.identity, habits.integers)

    def another(self) -> "Partner":
        """The same person with a new device."""
        return Partner(self.draw, self.user, self.habits)

    def check(self, noun: str, text: str) -> None:
        documents.CHECKS[noun](text)

    def device_document(self) -> str:
        return written({"publicKey": self.public_key, "platform": "python"})

    def seal(self, question: Question, answer: str, profile: str = "hardened", key: bytes = b"") -> str:
        """Under the primary, unless a key of the couple is named."""
        context = self.context(question)
        if profile == "hardened":
            key = key or self.memory.couple(question.couple).key.enabled()[0]
            content = payload.hardened(answer, key, context, question.place)
        else:
            content = payload.compat(answer)
        return self.seal_payload(question, content, payload.commitment(content))

    def seal_payload(self, question: Question, content: bytes, commitment: str, raw_key: bool = False) -> str:
        """Seals any content with any commitment, even one that does not fit."""
        record = Record(sealed(content, commitment, self.context(question), raw_key))
        self.memory.records[question] = record
        return self._document(question, record)

    def release(self, question: Question, other: str, public_key: str, theirs: str) -> str:
        """The same input gives the same document."""
        record, members = self._facing(question, other, theirs)
        self.memory.see_key(question.couple, other, public_key)
        record.pin(members["commitmentHash"], self.memory.couple(question.couple).epoch)
        made_of = (other, public_key, members["encryptedPayload"])
        if record.release and record.release[0] != made_of:
            raise Refused("pinMismatch")
        if not record.release:
            box = keybox(record.sealed, other, public_key)
            record.release = (made_of, documents.release_key(box, self.user, other))
        return written(record.release[1])

    def reveal(
        self, question: Question, other: str, theirs: str, release: str | None, allow: bool = False
    ) -> Revealed:
        record, members = self._facing(question, other, theirs)
        if release is None:
            raise Refused("notYet")
        released = documents.read("release-key", release)
        if released["recipientId"] != self.user:
            raise Refused("noKey")
        if released["senderId"] != other:
            raise Refused("authFailed")
        context = Context(question.couple, question.id, other)
        one_time_key = opened_keybox(released["encryptedAnswerKey"], self.identity, context, self.user)
        tokens = members["encryptedPayload"], members["commitmentHash"]
        shown = Shown(*tokens, context, question.place, record.pinned)
        revealed = reveal.reveal(shown, one_time_key, self.memory.couple(question.couple).key)
        self._accept(question, other, revealed, allow)
        return revealed

    def verify(self, theirs: str, content: bytes) -> None:
        if documents.read("answer", theirs)["commitmentHash"] != payload.commitment(content):
            raise Refused("commitmentMismatch")

    def archive(self, question: Question, other: str, theirs: str, release: str, ours: str) -> str:
        """Both answers as a field, ours from the server, once it is released."""
        revealed, record = self.reveal(question, other, theirs, release), self.memory.record(question)
        if record.release is None:
            raise Refused("notYet")
        sealed_text = documents.read("answer", ours)["encryptedPayload"]
        own = opened_payload(sealed_text, record.sealed.one_time_key, record.sealed.context)
        text = archive.text(question, other, {self.user: own, other: revealed.payload}, revealed.authenticity)
        key = self.memory.couple(question.couple).key
        return key.seal_placed_field(question.couple, archive.field_place(question), text)

    def open_archive(self, question: Question, archived: str) -> bytes:
        key = self.memory.couple(question.couple).key
        return key.open_placed_field(question.couple, archive.field_place(question), archived)

    def context(self, question: Question) -> Context:
        """Of an answer of this person's."""
        return Context(question.couple, question.id, self.user)

    def _facing(self, question: Question, other: str, theirs: str) -> tuple[Record, dict]:
        """Gives our record, and the other's document if it answers this question and is no copy of ours."""
        members = documents.read("answer", theirs)
        record = self.memory.record(question)
        if (members["userId"], members["questionId"]) != (other, question.id):
            raise Refused("authFailed")
        if members["commitmentHash"] == record.sealed.commitment:
            raise Refused("commitmentMismatch")
        return record, members

    def _accept(self, question: Question, other: str, revealed: Revealed, allow: bool) -> None:
        """Once a partner has written a valid MAC, every answer must have one."""
        name, couple, record = (question.couple, other), self.memory.couple(question.couple), self.memory.record(question)
        if revealed.authenticity == "unauthenticated":
            if not allow or name in self.memory.who_authenticates:
                raise Refused("unauthenticated")
        else:
            self.memory.who_authenticates.add(name)
        if revealed.authenticity == "serverForgeable" and couple.is_private and not record.is_older(couple.epoch):
            raise Refused("serverForgeable")
        record.pin(revealed.commitment, couple.epoch)

    def _document(self, question: Question, record: Record) -> str:
        is_in_thread = question.place.startswith("thread:")
        members = documents.answer(record.sealed, is_in_thread, record.release is not None)
        return written(self.habits.with_extras(members))


def _new_identity() -> tink_pb2.Keyset:
    handle = new_keyset_handle(hybrid.hybrid_key_templates.ECIES_P256_HKDF_HMAC_SHA256_AES128_GCM)
    return tink_pb2.Keyset.FromString(proto_keyset_format.serialize(handle, secret_key_access.TOKEN))
