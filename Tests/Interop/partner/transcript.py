"""What both sides of a pairing must agree on, and the keys that follow from it: closer-keys-pairing(7), KEYS."""

import hmac
import os
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tink.proto.ecies_aead_hkdf_pb2 import EciesAeadHkdfPublicKey

import keysets
from checks import Refused
from partner import cpace
from partner.encoding import length_prefixed
from partner.sealed import public_keyset
from partner.wrap import RandomBytes

PROTOCOL, PURPOSE = b"closer-keys/pair/1", b"couple"
IV, GCM_TAG = 12, 16


def public_bytes(token: str) -> bytes:
    """P: the same key in other integers has the same bytes here."""
    return keysets.with_width(public_keyset(token), "33").SerializeToString(deterministic=True)


def is_own_point(theirs: str, ours: str) -> bool:
    """By the x coordinate: our point's negative has the same, and whoever has one private key has the other."""
    keys = (public_keyset(token).key[0].key_data.value for token in (theirs, ours))
    return len({int.from_bytes(EciesAeadHkdfPublicKey.FromString(key).x) for key in keys}) == 1


@dataclass(frozen=True)
class Party:
    """Somebody as a document names them."""

    user: str
    public_key: str
    x25519: bytes

    def data(self, role: bytes) -> bytes:
        """ADa and ADb: the role keeps an offer from being its own reply."""
        return length_prefixed(role, self.user.encode(), public_bytes(self.public_key), self.x25519)


@dataclass(frozen=True)
class Offer:
    """What both know as soon as an offer is made."""

    lookup: str
    couple: str
    inviter: Party
    sid: bytes
    share: bytes

    def channel(self) -> bytes:
        return channel(self.lookup, self.couple, self.inviter.user)

    def side(self) -> cpace.Side:
        return self.share, self.inviter.data(b"offer")


@dataclass(frozen=True)
class Transcript:
    offer: Offer
    acceptor: Party
    share: bytes

    def side(self) -> cpace.Side:
        return self.share, self.acceptor.data(b"reply")

    def digest(self) -> bytes:
        """T, which names the pairing."""
        items = (self.offer.channel(), self.offer.sid, *self.offer.side(), *self.side())
        return sha256(length_prefixed(*items)).digest()

    def keys(self, product: bytes) -> "Keys":
        return Keys(cpace.session_key(self.offer.sid, product, self.offer.side(), self.side()), self.digest())


def channel(lookup: str, couple: str, inviter: str) -> bytes:
    return length_prefixed(PROTOCOL, PURPOSE, lookup.encode(), couple.encode(), inviter.encode())


@dataclass(frozen=True)
class Keys:
    """A key for each direction of tags, and one for each thing that is sealed."""

    session: bytes
    digest: bytes

    def key(self, name: bytes) -> bytes:
        info = length_prefixed(name, self.digest)
        return HKDF(SHA256(), 32, PROTOCOL, info).derive(self.session)

    def tag(self, name: bytes, box: bytes) -> bytes:
        return hmac.digest(self.key(name), length_prefixed(self.digest, box), "sha256")

    def is_tag(self, tag: bytes, name: bytes, box: bytes) -> bool:
        return hmac.compare_digest(tag, self.tag(name, box))

    def seal(self, name: bytes, items: tuple[bytes, ...], random: RandomBytes = os.urandom) -> bytes:
        iv = random(IV)
        return iv + AESGCM(self.key(name)).encrypt(iv, length_prefixed(*items), self.digest)

    def open(self, name: bytes, box: bytes) -> list[bytes]:
        """Whoever knew the key sealed it, so what does not open is not in the form."""
        try:
            return _items(AESGCM(self.key(name)).decrypt(box[:IV], box[IV:], self.digest))
        except (InvalidTag, ValueError):
            raise Refused("malformed") from None


def _items(body: bytes) -> list[bytes]:
    """`LP`, read back."""
    items = []
    while body:
        count = int.from_bytes(body[:4], "big")
        if len(body) < 4 + count:
            raise Refused("malformed")
        items.append(body[4 : 4 + count])
        body = body[4 + count :]
    return items
