"""A rekey as the partner's device makes it: new keys and a phrase, with a MAC under what both identity keys share.

closer-keys-formats(7), REKEYING.
"""

import hmac
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tink.proto import ecies_aead_hkdf_pb2, tink_pb2

import theirs
from partner.documents import written
from partner.encoding import length_prefixed, token
from partner.sealed import public_keyset


@dataclass(frozen=True)
class Route:
    couple: str
    sender: str
    recipient: str

    def context(self, epoch: int) -> bytes:
        return f"{self.couple}|ck.rekey.{epoch}|{self.sender}|{self.recipient}".encode()


def body(epoch: int, keyset: bytes, phrase: bytes) -> bytes:
    return length_prefixed(b"closer-keys/v1/rekey", epoch.to_bytes(4, "big"), keyset, phrase)


def authentication_key(scalar: int, recipients_point: bytes, route: Route) -> bytes:
    private = ec.derive_private_key(scalar, ec.SECP256R1())
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), recipients_point)
    own = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    names = (name.encode() for name in (route.couple, route.sender, route.recipient))
    info = length_prefixed(b"rekey-auth", *names, own, recipients_point)
    return HKDF(SHA256(), 32, b"closer-keys/v1", info).derive(private.exchange(ec.ECDH(), public))


def document(
    route: Route, epoch: int, keyset: tink_pb2.Keyset, phrase: str, identity: tink_pb2.Keyset, public_key: str
) -> str:
    """Of the sender, who has that identity, for the device with that public key."""
    private = ecies_aead_hkdf_pb2.EciesAeadHkdfPrivateKey.FromString(identity.key[0].key_data.value)
    public = ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey.FromString(public_keyset(public_key).key[0].key_data.value)
    point = b"\4" + b"".join(each[-32:].rjust(32, b"\0") for each in (public.x, public.y))
    key = authentication_key(int.from_bytes(private.key_value), point, route)
    content = body(epoch, keyset.SerializeToString(deterministic=True), phrase.encode())
    sealer = theirs.box_sealer(public_keyset(public_key))
    box = sealer.encrypt(content + hmac.digest(key, content, "sha256"), route.context(epoch))
    names = {"senderId": route.sender, "recipientId": route.recipient, "epoch": epoch}
    return written({"encryptedCoupleKey": token("keybox:v1:", box)} | names)
