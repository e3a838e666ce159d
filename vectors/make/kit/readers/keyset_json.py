"""A JSON keyset as a protobuf: strict JSON with exactly Tink's members. No rule is checked yet."""

from tink.proto import tink_pb2

from checks import Refused
from partner.canonical import parsed_object
from partner.encoding import from_standard


def parsed(content: bytes) -> tink_pb2.Keyset:
    members = _exactly(parsed_object(content), {"key"}, {"primaryKeyId"})
    keys = members["key"] if isinstance(members["key"], list) else _refuse()
    keyset = tink_pb2.Keyset(primary_key_id=_id(members.get("primaryKeyId", 0)), key=map(_key, keys))
    return keyset


def _key(members: object) -> tink_pb2.Keyset.Key:
    _exactly(members, {"status", "outputPrefixType"}, {"keyData", "keyId"})
    try:
        key = tink_pb2.Keyset.Key(
            status=tink_pb2.KeyStatusType.Value(members["status"]),
            output_prefix_type=tink_pb2.OutputPrefixType.Value(members["outputPrefixType"]),
            key_id=_id(members.get("keyId", 0)),
        )
        if "keyData" in members:
            data = _exactly(members["keyData"], {"typeUrl", "value", "keyMaterialType"}, set())
            key.key_data.type_url, key.key_data.value = data["typeUrl"], from_standard(data["value"])
            key.key_data.key_material_type = tink_pb2.KeyData.KeyMaterialType.Value(data["keyMaterialType"])
    except (ValueError, TypeError, AttributeError):
        raise Refused("malformed") from None
    return key


def _exactly(members: object, required: set, optional: set) -> dict:
    if not isinstance(members, dict) or not required <= set(members) <= required | optional:
        _refuse()
    return members


def _id(number: object) -> int:
    return number if type(number) is int and 0 <= number < 1 << 32 else _refuse()


def _refuse() -> None:
    raise Refused("malformed")
