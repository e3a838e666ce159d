"""What a partner's device remembers: couples, answers of its own, and what it has seen of the others."""

from dataclasses import dataclass, field
from hashlib import sha256

from tink.proto import tink_pb2

from checks import Refused
from partner.contexts import Question
from partner.couple_key import CoupleKey
from partner.sealed import SealedAnswer


@dataclass(frozen=True)
class Retired:
    """Keys that were given up: their ids, and hashes by which their bytes are known under any other id."""

    ids: frozenset[int] = frozenset()
    hashes: frozenset[bytes] = frozenset()

    @classmethod
    def of(cls, keyset: tink_pb2.Keyset) -> "Retired":
        ids = frozenset(key.key_id for key in keyset.key)
        return cls(ids, frozenset(_hashed(key) for key in keyset.key))

    def __or__(self, other: "Retired") -> "Retired":
        return Retired(self.ids | other.ids, self.hashes | other.hashes)

    def has(self, key: tink_pb2.Keyset.Key) -> bool:
        return key.key_id in self.ids or _hashed(key) in self.hashes


def _hashed(key: tink_pb2.Keyset.Key) -> bytes:
    return sha256(key.key_data.value).digest()


@dataclass
class Couple:
    """A couple, with the members of its wrap, and how many pairings it has seen."""

    key: CoupleKey
    wrap: dict[str, str]
    phrase: str
    epoch: int = 0
    is_alone: bool = False
    retired: Retired = Retired()
    is_migrating: bool = False

    @property
    def is_private(self) -> bool:
        return self.key.enabled()[0] in self.key.private


@dataclass
class Record:
    """An answer of our own, and the other's as it was first seen."""

    sealed: SealedAnswer
    pinned: str | None = None
    pinned_at: int = 0  # the couple's epoch
    release: tuple[tuple[str, ...], dict] | None = None

    def pin(self, commitment: str, epoch: int) -> None:
        if self.pinned is None:
            self.pinned, self.pinned_at = commitment, epoch
        if self.pinned != commitment:
            raise Refused("pinMismatch")

    def is_older(self, epoch: int) -> bool:
        """Pinned before the last pairing: what is older than it need not be proven by it."""
        return self.pinned is not None and self.pinned_at < epoch


@dataclass
class Memory:
    couples: dict[str, Couple] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    records: dict[Question, Record] = field(default_factory=dict)
    keys_of_others: dict[tuple[str, str], str] = field(default_factory=dict)
    x25519_of_others: dict[tuple[str, str], bytes] = field(default_factory=dict)
    who_authenticates: set[tuple[str, str]] = field(default_factory=set)

    def couple(self, name: str) -> Couple:
        if name not in self.couples:
            raise Refused("noKey")
        return self.couples[name]

    def record(self, question: Question) -> Record:
        """Nobody is shown an answer before giving one."""
        self.couple(question.couple)
        if question not in self.records:
            raise Refused("notYet")
        return self.records[question]

    def see_version(self, couple: str, version: int) -> None:
        """The version that was seen never goes down."""
        if version < self.versions.get(couple, 0):
            raise Refused("downgrade")
        self.versions[couple] = version

    def see_key(self, couple: str, other: str, public_key: str) -> None:
        """The first key is accepted on trust, and no other key after it."""
        if self.keys_of_others.setdefault((couple, other), public_key) != public_key:
            raise Refused("partnerKeyMismatch")

    def others(self, couple: str) -> dict[str, str]:
        """The partners that are known of a couple, with their keys."""
        return {user: key for (of_couple, user), key in self.keys_of_others.items() if of_couple == couple}
