"""What two people say in a pairing, and what follows from it: closer-keys-pairing(7), DOCUMENTS and KEYS.

On pyca/cryptography and Tink's protobufs.
"""

import base64
import hashlib
import hmac
import json
import re

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from tink import TinkError, hybrid, proto_keyset_format
from tink.proto import ecies_aead_hkdf_pb2, tink_pb2

from cpace import Refused, demand, element, session_key

NAME = b"closer-keys/pair/1"
TOKENS = {"offer": "{64}", "reply": "{86,}", "grant": "{120,}"}
hybrid.register()


def lp(*items):
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)


def code(typed):
    """Case and separators do not matter, and four letters count as what they look like: the two halves."""
    kept = re.sub("[ \t\r\n\u00a0\u2010-\u2015\u2212-]", "", typed)
    demand(re.fullmatch("[0-9A-Za-z]{12}", kept))
    symbols = kept.upper().translate(str.maketrans("OILU", "011V"))
    return symbols[:6], symbols[6:]


def unbase64(text, is_url):
    letters = b"-_" if is_url else b"+/"
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4 if is_url else 0), letters, validate=True)
    except ValueError:
        raise Refused("malformed") from None
    again = base64.b64encode(content, letters).decode()
    demand((again.rstrip("=") if is_url else again) == text)
    return content


def token(kind, text):
    demand(re.fullmatch(f"{kind}:v1:[A-Za-z0-9_-]{TOKENS.get(kind, '+')}", text))
    content = unbase64(text.split(":")[2], is_url=True)
    demand(len(content) <= 16 * 1024)
    return content


def document(text):
    """Strict JSON, no name twice. Members that are not known do not matter."""

    def members(pairs):
        demand(len(pairs) == len(dict(pairs)))
        return dict(pairs)

    try:
        found = json.loads(text, object_pairs_hook=members)
    except ValueError:
        raise Refused("malformed") from None
    demand(isinstance(found, dict) and found.get("purpose") == "couple")
    texts = {name: value for name, value in found.items() if isinstance(value, str)}
    demand(re.fullmatch("[0-9A-HJKMNP-TV-Z]{6}", texts.get("lookup", "")))
    return texts


class Party:
    """A user, and the public keys of their device."""

    def __init__(self, members):
        self.user, self.x25519 = (
            identifier(members.get("userId", "")),
            unbase64(members.get("x25519PublicKey", ""), is_url=False),
        )
        content = token("pub", members.get("publicKey", ""))
        try:
            X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(self.x25519))
            proto_keyset_format.parse_without_secret(content).primitive(hybrid.HybridEncrypt)
        except (ValueError, TinkError):  # of low order, or no public key
            raise Refused("malformed") from None
        demand(int.from_bytes(self.x25519, "little") < 2**255 - 19)  # the one spelling
        keyset = tink_pb2.Keyset.FromString(content)
        demand(len(keyset.key) == 1 and content in (wide := with_width(keyset, 33), with_width(keyset, 32)))
        self.keyset, self.point = (
            wide,
            ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey.FromString(
                tink_pb2.Keyset.FromString(wide).key[0].key_data.value
            ),
        )

    def data(self, step):
        return lp(step, self.user, self.keyset, self.x25519)

    def meet(self, other):
        demand(self.user != other.user, "usage")
        # Our point's negative has the same x, and whoever has one private key has the other.
        demand(self.point.x != other.point.x and self.x25519 != other.x25519, "partnerKeyMismatch")


def identifier(text):
    demand(re.fullmatch("[A-Za-z0-9._:@+-]{1,128}", text))
    return text.encode()


def with_width(keyset, width):
    again = tink_pb2.Keyset.FromString(keyset.SerializeToString())
    value = ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey.FromString(again.key[0].key_data.value)
    value.x, value.y = (part[-32:].rjust(width, b"\0") for part in (value.x, value.y))
    again.DiscardUnknownFields()
    again.key[0].key_data.value = value.SerializeToString(deterministic=True)
    return again.SerializeToString(deterministic=True)


class Offer:
    def __init__(self, text):
        members = document(text)
        content = token("offer", members.get("offer", ""))
        self.lookup, self.couple, self.inviter = (
            members["lookup"],
            identifier(members.get("coupleId", "")),
            Party(members),
        )
        self.session, self.share = content[:16], element(content[16:])
        self.channel = lp(NAME, b"couple", self.lookup.encode(), self.couple, self.inviter.user)


class Pairing:
    """What follows from an offer and an answer. `shared` is CPace's K."""

    def __init__(self, offer, acceptor, share, shared):
        sides = (offer.share, offer.inviter.data(b"offer")), (share, acceptor.data(b"reply"))
        self.lookup, self.session_key = offer.lookup, session_key(offer.session, shared, *sides)
        self.transcript = hashlib.sha256(lp(offer.channel, offer.session, *sides[0], *sides[1])).digest()

    def key(self, label):
        return HKDF(SHA256(), 32, NAME, lp(label, self.transcript)).derive(self.session_key)

    def tag(self, label, sealed):
        return hmac.digest(self.key(label), lp(self.transcript, sealed), "sha256")

    def seal(self, label, body, iv):
        return iv + AESGCM(self.key(label)).encrypt(iv, body, self.transcript)

    def opened(self, label, sealed):
        try:
            return AESGCM(self.key(label)).decrypt(sealed[:12], sealed[12:], self.transcript)
        except (InvalidTag, ValueError):
            raise Refused("malformed") from None
