"""What an implementer, or a server, may do otherwise than closer-keys-pairing(7), KEYS: one thing each."""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import replace

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from kit import cpace, pair_tokens
from kit.changes import flipped
from kit.pairing import NAME, Offer, Pairing
from kit.pairing_scene import MALLORY, Scene
from kit.readers import keyset_files, tink_boxes
from kit.stream import stream
from partner.encoding import length_prefixed as lp


def with_other(**methods) -> type[Pairing]:
    return type("Faulty", (Pairing,), methods)


def offers(scene: Scene) -> Iterator[tuple[str, Offer]]:
    """What a server may hand the acceptor in place of the offer."""
    offer = scene.offer()
    yield "another lookup", replace(offer, lookup="QZV8RE")
    yield "another couple", replace(offer, couple="couple_2")
    yield "another session", replace(offer, session=flipped(offer.session, 0))
    yield "another share", replace(offer, share=cpace.product(scene.yb, offer.share))
    for member in ("user", "public_key", "x25519"):
        inviter = replace(offer.inviter, **{member: getattr(MALLORY, member)})
        yield f"another {member.replace('_', ' ')}", replace(offer, inviter=inviter)


def passwords(scene: Scene) -> Iterator[tuple[str, bytes]]:
    secret = scene.secret.encode()
    yield "a slip in the second half", secret[:-1] + b"C"
    yield "the second half in lower case", secret.lower()
    yield "both halves", scene.lookup.encode() + secret
    yield "both halves with a hyphen", f"{scene.lookup}-{scene.secret}".encode()
    yield "the first half", scene.lookup.encode()
    yield "nothing", b""
    yield "a line end behind it", secret + b"\n"


def session_keys() -> Iterator[tuple[str, type[Pairing]]]:
    def key(change):
        def session_key(pairing: Pairing) -> bytes:
            sides = [(pairing.offer.share, pairing.offer_data()), (pairing.share, pairing.reply_data())]
            return change(pairing.offer.session, pairing.shared, sides)

        return with_other(session_key=session_key)

    domain = cpace.DOMAIN + b"_ISK"

    def hashed(text: bytes) -> bytes:
        return hashlib.sha512(text).digest()

    yield (
        "the associated data outside the session key",
        key(
            lambda sid, shared, sides: cpace.session_key(sid, shared, (sides[0][0], b""), (sides[1][0], b""))
        ),
    )
    yield (
        "the inviter's associated data outside",
        key(lambda sid, shared, sides: cpace.session_key(sid, shared, (sides[0][0], b""), sides[1])),
    )
    yield (
        "the acceptor's associated data outside",
        key(lambda sid, shared, sides: cpace.session_key(sid, shared, sides[0], (sides[1][0], b""))),
    )
    yield (
        "the acceptor's message first",
        key(lambda sid, shared, sides: cpace.session_key(sid, shared, sides[1], sides[0])),
    )
    yield "the session outside", key(lambda sid, shared, sides: cpace.session_key(b"", shared, *sides))
    yield "K outside", key(lambda sid, shared, sides: cpace.session_key(sid, b"", *sides))
    yield (
        "another domain",
        key(
            lambda sid, shared, sides: hashed(
                cpace.lv_cat(cpace.DOMAIN, sid, shared) + b"".join(cpace.lv_cat(*side) for side in sides)
            )
        ),
    )
    yield (
        "lengths as 32 bits",
        key(
            lambda sid, shared, sides: hashed(lp(domain, sid, shared) + b"".join(lp(*side) for side in sides))
        ),
    )
    yield (
        "no lengths",
        key(lambda sid, shared, sides: hashed(domain + sid + shared + b"".join(sum(sides, ())))),
    )
    yield (
        "SHA-256",
        key(
            lambda sid, shared, sides: hashlib.sha256(
                cpace.lv_cat(domain, sid, shared) + b"".join(cpace.lv_cat(*side) for side in sides)
            ).digest()
        ),
    )


def data() -> Iterator[tuple[str, type[Pairing]]]:
    def items(step: bytes, party, change) -> bytes:
        keyset = tink_boxes.public_keyset(party.public_key)
        whole = [
            step,
            party.user.encode(),
            keyset_files.written_again(keyset)[0],
            pair_tokens.x25519_key(party.x25519),
        ]
        return change(whole, party)

    def both(change) -> type[Pairing]:
        return with_other(
            offer_data=lambda pairing: items(b"offer", pairing.offer.inviter, change),
            reply_data=lambda pairing: items(b"reply", pairing.acceptor, change),
        )

    def narrow(party) -> bytes:
        return keyset_files.written_again(tink_boxes.public_keyset(party.public_key))[1]

    yield "no step in the associated data", both(lambda whole, party: lp(*whole[1:]))
    yield (
        "the steps exchanged",
        with_other(
            offer_data=lambda pairing: pairing.offer.inviter.data(b"reply"),
            reply_data=lambda pairing: pairing.acceptor.data(b"offer"),
        ),
    )
    yield "no user in the associated data", both(lambda whole, party: lp(whole[0], *whole[2:]))
    yield "no P-256 key in the associated data", both(lambda whole, party: lp(*whole[:2], whole[3]))
    yield "no X25519 key in the associated data", both(lambda whole, party: lp(*whole[:3]))
    yield "integers of 32 bytes in P", both(lambda whole, party: lp(*whole[:2], narrow(party), whole[3]))
    yield (
        "the token in place of P",
        both(lambda whole, party: lp(*whole[:2], party.public_key.encode(), whole[3])),
    )
    yield (
        "base64 in place of the X25519 key",
        both(lambda whole, party: lp(*whole[:3], party.x25519.encode())),
    )
    yield "no lengths in the associated data", both(lambda whole, party: b"".join(whole))


def channels() -> Iterator[tuple[str, type[Offer]]]:
    def channel(change) -> type[Offer]:
        def made(offer: Offer) -> bytes:
            names = (offer.lookup.encode(), offer.couple.encode(), offer.inviter.user.encode())
            return change([NAME, b"couple", *names])

        return type("FaultyOffer", (Offer,), {"channel": made})

    yield "another version of the protocol", channel(lambda items: lp(b"closer-keys/pair/2", *items[1:]))
    yield "another purpose", channel(lambda items: lp(items[0], b"device", *items[2:]))
    for place, name in enumerate(("name of the protocol", "purpose", "lookup", "couple", "inviter")):
        yield f"no {name} in the channel", channel(lambda items, at=place: lp(*items[:at], *items[at + 1 :]))
    yield "no lengths in the channel", channel(b"".join)


def transcripts() -> Iterator[tuple[str, type[Pairing]]]:
    def transcript(change) -> type[Pairing]:
        def made(pairing: Pairing) -> bytes:
            offer = pairing.offer
            said = [pairing.channel(), offer.session, offer.share, pairing.offer_data()]
            return change([*said, pairing.share, pairing.reply_data()])

        return with_other(transcript=made)

    def sha256(content: bytes) -> bytes:
        return hashlib.sha256(content).digest()

    for place, name in enumerate(("channel", "session", "Ya", "ADa", "Yb", "ADb")):
        yield (
            f"no {name} in the transcript",
            transcript(lambda items, at=place: sha256(lp(*items[:at], *items[at + 1 :]))),
        )
    yield (
        "the acceptor's message first in the transcript",
        transcript(lambda items: sha256(lp(*items[:2], *items[4:], *items[2:4]))),
    )
    yield "LEB128 in the transcript", transcript(lambda items: sha256(cpace.lv_cat(*items)))
    yield "the transcript is SHA-512, cut", transcript(lambda items: hashlib.sha512(lp(*items)).digest()[:32])


def keys() -> Iterator[tuple[str, type[Pairing]]]:
    def key(change) -> type[Pairing]:
        return with_other(key=lambda pairing, label: change(pairing, label.encode()))

    def hkdf(material: bytes, salt: bytes | None, info: bytes) -> bytes:
        return HKDF(SHA256(), 32, salt, info).derive(material)

    yield "no salt", key(lambda p, label: hkdf(p.session_key(), None, lp(label, p.transcript())))
    yield (
        "the transcript as the salt",
        key(lambda p, label: hkdf(p.session_key(), p.transcript(), lp(label, p.transcript()))),
    )
    yield "no transcript in the info", key(lambda p, label: hkdf(p.session_key(), NAME, lp(label)))
    yield "no label in the info", key(lambda p, label: hkdf(p.session_key(), NAME, lp(p.transcript())))
    yield "no lengths in the info", key(lambda p, label: hkdf(p.session_key(), NAME, label + p.transcript()))
    yield (
        "half of the session key",
        key(lambda p, label: hkdf(p.session_key()[:32], NAME, lp(label, p.transcript()))),
    )
    yield "one key for all", key(lambda p, label: hkdf(p.session_key(), NAME, lp(b"key", p.transcript())))


def tags(pairing: Pairing, label: str, other: str, sealed: bytes) -> Iterator[tuple[str, bytes]]:
    whole = pairing.tag(label, sealed)

    def made(text: bytes, key: bytes | None = None) -> bytes:
        return hmac.digest(key or pairing.key(label), text, "sha256")

    for place in (0, 15, 31):
        yield f"byte {place} of the tag", flipped(whole, place, 7 if place else 0)
    yield "a tag of zeros", bytes(32)
    yield "half a tag, twice", whole[:16] * 2
    yield "the tag of the other direction", pairing.tag(other, sealed)
    yield "what is sealed outside the tag", made(lp(pairing.transcript(), b""))
    yield "the transcript alone in the tag", made(lp(pairing.transcript()))
    yield "what is sealed alone in the tag", made(lp(sealed))
    yield "no lengths in the tag", made(pairing.transcript() + sealed)
    yield "the session key as the tag's key", made(pairing.proven(sealed), pairing.session_key())
    yield "SHA-512 in the tag", hmac.digest(pairing.key(label), pairing.proven(sealed), "sha512")[:32]
    yield "a hash without a key", hashlib.sha256(pairing.proven(sealed)).digest()


def boxes(pairing: Pairing, label: str, other: str, body: bytes) -> Iterator[tuple[str, bytes]]:
    """What is sealed otherwise, under a tag that holds."""
    nonce = stream("pairing iv faults", 12)

    def sealed(key: bytes, data: bytes | None, size: int = 16) -> bytes:
        box = AESGCM(key).encrypt(nonce, body, data)
        return nonce + box[: len(box) - 16 + size]

    key, transcript = pairing.key(label), pairing.transcript()
    yield "sealed under the other key", sealed(pairing.key(other), transcript)
    yield "sealed under half of the session key", sealed(pairing.session_key()[:32], transcript)
    yield "sealed with AES-128", sealed(key[:16], transcript)
    yield "no associated data", sealed(key, None)
    yield "the channel as associated data", sealed(key, pairing.channel())
    yield "the transcript behind its length as associated data", sealed(key, lp(transcript))
    yield "a nonce behind the box", sealed(key, transcript)[12:] + nonce
    yield "no nonce", AESGCM(key).encrypt(bytes(12), body, transcript)
    whole = sealed(key, transcript)
    for place in (0, 12, -1):
        yield f"byte {place}, changed before the tag was made", flipped(whole, place)
    yield "nothing but a nonce and a tag", whole[:28]
