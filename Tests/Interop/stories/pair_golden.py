"""Holds the partner's pairing against the golden values before it judges: both sides could make the same mistake."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from tink.proto import tink_pb2

from checks import Refused, same
from partner import cpace, pairing_code, pairing_documents, pairing_sides
from partner.documents import written
from partner.encoding import from_standard
from partner.pairing_sides import Held
from partner.transcript import Party

FILE = Path(__file__).parents[3] / "vectors" / "pairing.json"

# What it is, what it must be, and what the partner makes of it.
Compared = Iterator[tuple[str, object, object]]


def check() -> int:
    """Gives back how many values were compared; fails at the first that differs."""
    golden = json.loads(FILE.read_text())
    everything = [*_draft(golden["draft"]), *(value for code in golden["codes"] for value in _code(code))]
    for pairing in golden["pairings"]:
        parties = [_party(golden["people"][pairing[role]], pairing[role]) for role in ("inviter", "acceptor")]
        everything += _pairing(pairing, *parties)
    for name, expected, actual in everything:
        same(f"golden {name}", expected, actual)
    return len(everything)


def _draft(draft: dict) -> Compared:
    values = {name[:-3]: bytes.fromhex(text) for name, text in draft.items() if isinstance(text, str) and name.endswith("Hex")}
    generator = cpace.generator(values["PRS"], values["CI"], values["sid"])
    scalars = [int.from_bytes(values[name], "little") for name in ("ya", "yb")]
    shares = [cpace.multiplied(generator, scalar) for scalar in scalars]
    product = cpace.multiplied(shares[1], scalars[0])
    yield "generator", draft["gHex"], generator.hex()
    yield "shares", [draft["YaHex"], draft["YbHex"]], [share.hex() for share in shares]
    yield "product", draft["KHex"], product.hex()
    sides = zip(shares, (values["ADa"], values["ADb"]))
    yield "session key", draft["ISK_IRHex"], cpace.session_key(values["sid"], product, *sides).hex()
    for share in draft["invalidSharesHex"]:
        yield "invalid share", "malformed", _said(lambda: cpace.checked_share(bytes.fromhex(share)))


def _code(expected: dict) -> Compared:
    due = expected["error"]["code"] if "error" in expected else (expected["lookup"], expected["secretHalf"])
    yield "code", due, _said(lambda: vars(pairing_code.read(expected["typed"])).values())


def _pairing(golden: dict, inviter: Party, acceptor: Party) -> Compared:
    """Made by each side from what it draws and what the other sends, and nothing else."""
    code, random = pairing_code.read(golden["typed"]), _drawn(golden)
    invite = pairing_sides.inviting(code, golden["coupleId"], inviter, random)
    offer = pairing_documents.read_offer(written(invite.document()))
    answer = pairing_sides.answering(offer, code, acceptor, _before(golden, golden["acceptor"]), random)
    reply = pairing_documents.read_reply(written(answer.document()))
    keys = invite.judge(reply)
    after = golden["after"][golden["inviter"]]
    made = Held(after["epoch"], tink_pb2.Keyset.FromString(bytes.fromhex(after["keysetHex"])))
    grant = pairing_sides.granted(keys, code.lookup, made, golden["phrase"], random)
    yield "offer", golden["offer"], invite.document()
    yield "reply", golden["reply"], answer.document()
    yield "grant", golden["grant"], grant
    yield "T", golden["digestHex"], keys.digest.hex()
    yield "ISK", [golden["iskHex"]] * 2, [keys.session.hex(), answer.keys.session.hex()]
    yield "keys", golden["keysHex"], {name: keys.key(name.encode()).hex() for name in golden["keysHex"]}
    yield "hold", _before(golden, golden["acceptor"]), pairing_sides.opened_hold(keys, reply.hold)
    opened = answer.open(pairing_documents.read_grant(written(grant)))
    yield "what was granted", (made, golden["phrase"], False), opened


def _drawn(golden: dict) -> Callable[[int], bytes]:
    """The random bytes, in the order in which both sides draw them. A scalar is drawn as one more than a scalar less one."""
    names = ("sidHex", "yaHex", "ybHex", "holdIvHex", "sealIvHex")
    rest = iter([bytes.fromhex(golden[name]) for name in names if golden[name]])

    def random(count: int) -> bytes:
        drawn = next(rest)
        return drawn if count < 64 else (int.from_bytes(drawn, "little") - 1).to_bytes(64, "little")

    return random


def _before(golden: dict, name: str) -> Held | None:
    before = golden["before"][name]
    return before and Held(before["epoch"], tink_pb2.Keyset.FromString(bytes.fromhex(before["keysetHex"])))


def _party(person: dict, name: str) -> Party:
    return Party(name, person["publicKey"], from_standard(person["x25519PublicKey"]))


def _said(attempt: Callable[[], object]) -> object:
    try:
        return tuple(attempt())
    except Refused as refused:
        return refused.code
