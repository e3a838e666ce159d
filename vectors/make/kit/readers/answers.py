"""Sealed answers, by the partner of `make check-interop`: Tink, pyca/cryptography and rfc8785."""

from tink.proto import tink_pb2

from checks import Refused
from kit.readers import tink_boxes
from partner import payload as payloads
from partner import reveal as revealing
from partner import sealed
from partner.contexts import Context
from partner.couple_key import CoupleKey
from partner.encoding import identifier, token_payload


def verify_commitment(case: dict) -> dict:
    token_payload("sha256:", case["commitmentHash"])
    return {"payload": revealing._committed(bytes.fromhex(case["received"]), case["commitmentHash"])}


def open_answer(case: dict) -> dict:
    token_payload("sha256:", case["commitmentHash"])
    received = sealed.opened_payload(
        case["encryptedPayload"], bytes.fromhex(case["oneTimeKey"]), _context(case, "userId")
    )
    return {"payload": revealing._committed(received, case["commitmentHash"])}


def reveal(case: dict) -> dict:
    context, recipient = _context(case, "senderId"), identifier(case["recipientId"])
    place = case["place"]
    token_payload("sealed:v1:", case["encryptedPayload"])
    token_payload("sha256:", case["commitmentHash"])
    box = token_payload("keybox:v1:", case["encryptedAnswerKey"])
    identity = tink_pb2.Keyset.FromString(bytes.fromhex(case["identityKeyset"]))
    one_time_key = tink_boxes.opened(identity, box, context.of_release(recipient))
    couple = CoupleKey(tink_pb2.Keyset.FromString(bytes.fromhex(case["coupleKeyset"])))
    shown = revealing.Shown(
        case["encryptedPayload"], case["commitmentHash"], context, place, case.get("pinnedCommitment")
    )
    found = revealing.reveal(shown, one_time_key, couple)
    if found.place is None:
        return {"payload": found.payload}
    return {
        "payload": found.payload,
        "place": found.place,
        "macKeyId": _mac_key_id(found.payload, couple, context),
    }


def _mac_key_id(payload: bytes, couple: CoupleKey, context: Context) -> int:
    members = payloads.parsed_object(payload)
    for key, key_id in zip(couple.enabled(), _enabled_ids(couple), strict=True):
        if payloads.mac(members, key, context) == members["_m"]:
            return key_id
    raise Refused("macInvalid")


def _enabled_ids(couple: CoupleKey) -> list[int]:
    ids = [key.key_id for key in couple.keyset.key if key.status == tink_pb2.ENABLED]
    return sorted(ids, key=lambda key_id: key_id != couple.keyset.primary_key_id)


def _context(case: dict, author: str) -> Context:
    ids = [identifier(case[name]) for name in ("coupleId", "questionId", author)]
    if ids[1].startswith("ck."):
        raise Refused("malformed")
    return Context(*ids)
