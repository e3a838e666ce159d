"""A couple's life on the partner's device: made, joined, shown, recovered; and its fields."""

from checks import Refused
from draw import Draw
from partner import documents
from partner.couple_key import CoupleKey, unwrapped
from partner.documents import written
from partner.habits import Habits
from partner.memory import Couple, Memory
from partner.wrap import from_code, under_code, unwrap, wrap


class CoupleLife:
    """What a partner does with couples. Documents are JSON texts, and a no is `Refused`."""

    def __init__(self, draw: Draw, habits: Habits) -> None:
        self.draw, self.habits = draw, habits
        self.memory = Memory()

    def create(self, couple: str) -> str:
        """Gives back the phrase."""
        key = CoupleKey(self.habits.new_couple_keyset(self.draw))
        phrase = self.habits.new_phrase(self.draw)
        self.adopt(couple, Couple(key, self._wrapped(key, phrase), phrase))
        return phrase

    def adopt(self, couple: str, made: Couple) -> None:
        self.memory.see_version(couple, 2)
        self.memory.couples[couple] = made

    def invite(self, couple: str, is_code_apart: bool = False) -> tuple[str, str]:
        """The document and the code, which may be in it or go another way."""
        made, code = self.memory.couple(couple), self.habits.new_code(self.draw)
        in_it = None if is_code_apart else code
        members = documents.invite(made.wrap, in_it, under_code(made.phrase, code))
        return written(self.habits.with_extras(members)), code

    def join(self, couple: str, invite: str, code: str | None = None) -> None:
        members = documents.read("invite", invite)
        phrase = from_code(members["recoveryPhrase"], code or members["code"])
        self._take(couple, 2, members, phrase)

    def couple_document(self, couple: str) -> str:
        return written(self.habits.with_extras(documents.couple(self.memory.couple(couple).wrap)))

    def fingerprint(self, couple: str) -> str:
        return self.memory.couple(couple).key.fingerprint(couple)

    def rehearse(self, couple: str, document: str, phrase: str) -> str:
        return unwrapped(unwrap(documents.read("couple", document), phrase)).fingerprint(couple)

    def recover(self, couple: str, document: str, phrase: str) -> None:
        members = documents.read("couple", document)
        version = members.get("encryptionVersion", 2 if "kdfSalt" in members else 0)
        self._take(couple, version, members, phrase)

    def _take(self, couple: str, version: int, members: dict, phrase: str) -> None:
        """The keys that this device holds must all be in what it takes instead."""
        if version < self.memory.versions.get(couple, 0):
            raise Refused("downgrade")
        if "kdfSalt" not in members:
            raise Refused("notYet")
        key = unwrapped(unwrap(members, phrase))
        held = self.memory.couples.get(couple)
        if held and not set(held.key.enabled()) <= set(key.enabled()):
            raise Refused("notYet")
        self.memory.see_version(couple, version)
        self.memory.couples[couple] = Couple(key, {name: members[name] for name in documents.WRAP}, phrase)

    def _wrapped(self, key: CoupleKey, phrase: str) -> dict[str, str]:
        content = key.binary() if self.habits.content == "binary" else key.json()
        return self.habits.spelled(wrap(content, phrase))

    def seal_field(self, couple: str, plaintext: bytes) -> str:
        return self.memory.couple(couple).key.seal_field(couple, plaintext)

    def open_field(self, couple: str, text: str) -> bytes:
        return self.memory.couple(couple).key.open_field(couple, text)
