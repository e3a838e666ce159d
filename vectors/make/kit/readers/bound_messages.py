"""Bound messages and chat keys, by the partner of Tests/Interop, which has pyca/cryptography and rfc8785."""

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from kit.pair_tokens import x25519_key
from partner.bound_messages import Channel, ChatKey, Direction, Reading, Token, opening_key, proven_key, shared
from partner.encoding import standard


def open_message(case: dict) -> dict:
    text, _ = channel(case, case["role"] == "sender").open(Token.read(case["token"]), case["messageId"])
    return {"plaintext": text}


def receive(case: dict) -> dict:
    found = Token.read(case["token"])
    ours = opening_key([_ours(text) for text in case["chatKeys"].split()], found)
    channel = Channel(_direction(case), _long_term(case), ChatKey(found.i, found.sender_key), ours)
    _, message = channel.open(found, case["messageId"])
    known, verdict = Reading.read(case["state"]).noted(message, int(case["now"]))
    return verdict | {"state": known.written()}


def take_key(case: dict) -> dict:
    key = proven_key(case["text"], _direction(case), _long_term(case))
    return {"index": key.index, "publicKey": standard(key.public)}


def channel(case: dict, is_ours: bool) -> Channel:
    """For a message of ours, or one to us."""
    index, theirs = case["peerChatKey"].split(":")
    ours, theirs = _ours(case["chatKey"]), ChatKey(int(index), x25519_key(theirs))
    return Channel(_direction(case), _long_term(case), *((ours, theirs) if is_ours else (theirs, ours)))


def _ours(text: str) -> ChatKey:
    index, private = text.split(":")
    return ChatKey.ours(int(index), bytes.fromhex(private))


def _direction(case: dict) -> Direction:
    return Direction(case["chatId"], case["from"], case["to"])


def _long_term(case: dict) -> bytes:
    ours = X25519PrivateKey.from_private_bytes(bytes.fromhex(case["privateKey"]))
    return shared(ours, x25519_key(case["peerPublicKey"]))
