"""Holds the partner's steps against the vectors of pairings, which other implementations made than the partner.

So what closer-keys-pairing(7) says is enough for every refusal of `pairing.confirm` and `pairing.finish`.
"""

import json
from pathlib import Path

from tink.proto import tink_pb2

from checks import Refused, same
from draw import Draw
from partner import cpace, pairing_documents, pairing_sides
from partner.couple_key import CoupleKey, strict_keyset
from partner.memory import Couple, Retired
from partner.pairing_documents import read_offer
from partner.pairing_memory import Invite
from partner.pairing_sides import Inviter
from partner.person import Partner
from partner.transcript import Party

FILE = Path(__file__).parents[3] / "vectors" / "v1" / "pairing.json"


def check() -> int:
    """Gives back how many cases were compared; fails at the first that differs, in its refusal or in any value."""
    groups = json.loads(FILE.read_text())["testGroups"]
    cases = [(group["type"], case) for group in groups for case in group["tests"]]
    for operation, case in cases:
        same(f"case {case['tcId']}: {case['comment']}", case.get("error") or case["output"], _said(operation, case))
    return len(cases)


class _Person(Partner):
    """Whoever the case says, with its scalar, and without the slow wrap."""

    def __init__(self, party: Party, case: dict) -> None:
        super().__init__(Draw(0, "a person of a case", 0), party.user)
        self.public_key, self.party, self.scalar = party.public_key, party, _scalar(case)

    def random(self, count: int) -> bytes:
        return (self.scalar - 1).to_bytes(64, "little") if count == 64 else bytes(count)

    def _us(self) -> Party:
        return self.party

    def _wrapped(self, key: CoupleKey, phrase: str) -> dict[str, str]:
        return {}


def _said(operation: str, case: dict) -> object:
    try:
        return {"pairing.confirm": _confirmed, "pairing.finish": _finished}[operation](case)
    except Refused as refused:
        return refused.code


def _confirmed(case: dict) -> dict:
    offer = read_offer(case["offer"])
    person = _Person(offer.inviter, case)
    before = person.memory.couples[offer.couple] = _couple(case)
    invite = person.invites[offer.lookup] = Invite(Inviter(None, offer, person.scalar))
    person.confirm(offer.couple, case["reply"])
    after = person.memory.couple(offer.couple)
    is_new = after.key.keyset.primary_key_id != before.key.keyset.primary_key_id
    ids = person.key_ids(offer.couple)
    told = {"epoch": after.epoch, "newPrimary": is_new, "keyIds": ids[:-1] if is_new else ids}
    held = pairing_sides.opened_hold(invite.side.judge(invite.reply), invite.reply.hold)
    return told | ({"holdEpoch": held.epoch, "holdKeyset": CoupleKey(held.keyset).binary().hex()} if held else {})


def _finished(case: dict) -> dict:
    person = _Person(pairing_documents.party(case), case)
    offer = read_offer(case["offer"])
    if "keyset" in case:
        person.memory.couples[offer.couple] = _couple(case)
    person.accept(case["offer"], case["code"])
    person.finish(offer.couple, case["grant"])
    after = person.memory.couple(offer.couple)
    told = {"migrating": True} if person.answers[offer.lookup].is_migrating else {}
    return {"epoch": after.epoch, "keyset": after.key.binary().hex(), "phrase": after.phrase, **told}


def _couple(case: dict) -> Couple:
    key = CoupleKey(strict_keyset(bytes.fromhex(case["keyset"])))
    ids = frozenset(int(each) for each in case.get("retiredIds", "").split())
    keys = tink_pb2.Keyset.FromString(bytes.fromhex(case.get("retiredKeyset", "")))
    retired = Retired(ids) | Retired.of(keys)
    return Couple(key, {}, "a phrase", int(case["epoch"]), case.get("alone") == "true", retired)


def _scalar(case: dict) -> int:
    content = bytes.fromhex(case["scalar"])
    number = int.from_bytes(content, "little")
    if len(content) != 32 or not 0 < number < cpace.ORDER:
        raise Refused("malformed")
    return number


if __name__ == "__main__":
    print(f"the partner agrees with {check()} vectors of pairings")
