"""A pairing between two people (closer-keys-pairing(7), KEYS): what both have said, what follows from it, and what it seals.

Each value is a method, so that a maker can replace one of them, and only that one is wrong.
"""

import hashlib
import hmac
import json
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from checks import Refused
from kit import cpace, pair_tokens
from kit.readers import keyset_files, tink_boxes
from partner.canonical import parsed_object
from partner.encoding import length_prefixed as lp

NAME = b"closer-keys/pair/1"


@dataclass(frozen=True)
class Party:
    user: str
    public_key: str
    x25519: str

    def data(self, step: bytes) -> bytes:
        """P has integers of 33 bytes, however the token has them."""
        wide = keyset_files.written_again(tink_boxes.public_keyset(self.public_key))[0]
        return lp(step, self.user.encode(), wide, pair_tokens.x25519_key(self.x25519))

    def members(self) -> dict[str, str]:
        return {"userId": self.user, "publicKey": self.public_key, "x25519PublicKey": self.x25519}

    @classmethod
    def of(cls, members: dict) -> "Party":
        return cls(members["userId"], members["publicKey"], members["x25519PublicKey"])


@dataclass(frozen=True)
class Offer:
    lookup: str
    couple: str
    inviter: Party
    session: bytes
    share: bytes

    def channel(self) -> bytes:
        return lp(NAME, b"couple", self.lookup.encode(), self.couple.encode(), self.inviter.user.encode())

    def generator(self, password: bytes) -> bytes:
        return cpace.generator(password, self.channel(), self.session)

    def text(self) -> str:
        token = {"offer": pair_tokens.text("offer", self.session + self.share)}
        head = {"lookup": self.lookup, "purpose": "couple", "coupleId": self.couple}
        return compact(head | self.inviter.members() | token)

    @classmethod
    def parsed(cls, text: str) -> "Offer":
        """Of a document whose form was checked."""
        members = parsed_object(text.encode())
        return cls(
            members["lookup"], members["coupleId"], Party.of(members), *pair_tokens.offer(members["offer"])
        )


class Pairing:
    """What follows from an offer, and from who answered it with which share; `shared` is K."""

    def __init__(self, offer: Offer, acceptor: Party, share: bytes, shared: bytes) -> None:
        self.offer, self.acceptor, self.share, self.shared = offer, acceptor, share, shared

    def channel(self) -> bytes:
        return self.offer.channel()

    def offer_data(self) -> bytes:
        return self.offer.inviter.data(b"offer")

    def reply_data(self) -> bytes:
        return self.acceptor.data(b"reply")

    def session_key(self) -> bytes:
        sides = (self.offer.share, self.offer_data()), (self.share, self.reply_data())
        return cpace.session_key(self.offer.session, self.shared, *sides)

    def transcript(self) -> bytes:
        offered = self.channel(), self.offer.session, self.offer.share, self.offer_data()
        return hashlib.sha256(lp(*offered, self.share, self.reply_data())).digest()

    def key(self, label: str) -> bytes:
        info = lp(label.encode(), self.transcript())
        return HKDF(SHA256(), 32, NAME, info).derive(self.session_key())

    def proven(self, sealed: bytes) -> bytes:
        return lp(self.transcript(), sealed)

    def tag(self, label: str, sealed: bytes) -> bytes:
        return hmac.digest(self.key(label), self.proven(sealed), "sha256")

    def seal(self, label: str, body: bytes, iv: bytes) -> bytes:
        return iv + AESGCM(self.key(label)).encrypt(iv, body, self.transcript())

    def opened(self, label: str, sealed: bytes) -> bytes:
        """Under a tag that holds, so it is not a stranger's fault if it does not open."""
        try:
            return AESGCM(self.key(label)).decrypt(sealed[:12], sealed[12:], self.transcript())
        except InvalidTag:
            raise Refused("malformed") from None

    def trace(self) -> dict[str, bytes]:
        return {
            "sharedSecret": self.shared,
            "derivedKey": self.session_key(),
            "associatedData": self.transcript(),
        }

    def reply_text(self, hold: bytes, tag: bytes | None = None) -> str:
        content = self.share + (self.tag("reply", hold) if tag is None else tag) + hold
        token = {"reply": pair_tokens.text("reply", content)}
        return compact(self.head() | self.acceptor.members() | token)

    def grant_text(self, sealed: bytes, tag: bytes | None = None) -> str:
        content = (self.tag("grant", sealed) if tag is None else tag) + sealed
        return compact(self.head() | {"grant": pair_tokens.text("grant", content)})

    def head(self) -> dict[str, str]:
        return {"lookup": self.offer.lookup, "purpose": "couple"}


def compact(members: dict) -> str:
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"))
