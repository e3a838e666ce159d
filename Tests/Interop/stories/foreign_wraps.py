"""Wraps that open with the couple's phrase, but hold another key than the couple's."""

from collections.abc import Callable

from tink.proto import aes_gcm_pb2

import ecies
import keysets
from offer import Offer
from partner import wrap
from partner.couple_key import new_keyset
from scene import changed

Attempt = Callable[[], object]


def another_key(offer: Offer) -> Attempt:
    """A wrap that opens with the same phrase, but lacks the key that the receiving device holds."""
    offer.recover()
    return lambda: offer.recover(_wrapping(offer, new_keyset().SerializeToString()))


def aes_128(offer: Offer) -> Attempt:
    keyset = new_keyset()
    keyset.key[0].key_data.value = aes_gcm_pb2.AesGcmKey(
        key_value=offer.draw.randbytes(16)
    ).SerializeToString()
    return lambda: offer.recover(_wrapping(offer, keyset.SerializeToString()))


def second_key_type(offer: Offer) -> Attempt:
    """Android would lose the couple key over it."""
    keyset = new_keyset()
    keyset.key.append(keysets.new_entry(offer.draw, ecies.new_key(offer.draw), keyset))
    return lambda: offer.recover(_wrapping(offer, keyset.SerializeToString()))


def other_spelling(offer: Offer) -> Attempt:
    """The same keyset, with an unknown field behind it."""
    return lambda: offer.recover(_wrapping(offer, new_keyset().SerializeToString() + b"\x18\x01"))


def _wrapping(offer: Offer, content: bytes) -> str:
    """The couple's document with something else under the same phrase."""
    return changed(offer.document, **wrap.wrap(content, offer.phrase))
