"""What each operation takes and gives: the members of a group, of a case, and of an output.

The schemas are made from this table, and README.md is held against it. A `?` ends the name of a member that
may be missing.
"""

from dataclasses import dataclass, field

HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
TEXT = {"type": "string"}
UINT32 = {"type": "integer", "minimum": 0, "maximum": 4294967295}
DECIMAL = {"type": "string", "pattern": "^(0|[1-9][0-9]{0,9})$"}
IDS = {"type": "string", "pattern": "^[0-9]+( [0-9]+)*$"}
DIGITS = {"type": "string", "pattern": "^([0-9]{30}){1,2}$"}


def one_of(*values: str) -> dict:
    return {"enum": list(values)}


KEYS = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["keyId", "type", "status", "prefix", "primary"],
        "properties": {
            "keyId": UINT32,
            "type": TEXT,
            "status": one_of("enabled", "disabled", "destroyed"),
            "prefix": one_of("tink", "legacy", "raw", "crunchy"),
            "primary": {"type": "boolean"},
        },
    },
}

# The ids of errors, in the order in which README.md explains them.
ERRORS = (
    "authFailed",
    "codeMismatch",
    "macInvalid",
    "commitmentMismatch",
    "pinMismatch",
    "placeMismatch",
    "epochMismatch",
    "keyMismatch",
    "partnerKeyMismatch",
    "unbound",
    "noKey",
    "malformed",
    "phraseRefused",
    "limit",
    "notYet",
    "usage",
)


@dataclass(frozen=True)
class Operation:
    case: dict
    output: dict
    group: dict = field(default_factory=dict)
    trace: tuple[str, ...] = ()


SHARED, DERIVED, DATA = "sharedSecret", "derivedKey", "associatedData"
ANSWER = {"coupleId": TEXT, "questionId": TEXT, "encryptedPayload": TEXT, "commitmentHash": TEXT}
DOCUMENTS = (
    "couple",
    "invite",
    "answer",
    "release-key",
    "device",
    "pair-offer",
    "pair-reply",
    "pair-grant",
    "rekey",
    "game-slot",
    "fitlink-message",
    "fitlink-user",
    "fond-user",
    "legacy-answer",
    "chat-message",
    "chat-key",
)
PARTY = {"userId": TEXT, "publicKey": TEXT, "x25519PublicKey": TEXT}
PEER = {"privateKey": HEX, "peerPublicKey": TEXT}
MESSAGE = {"chatId": TEXT, "from": TEXT, "to": TEXT, "messageId": TEXT}
RANGES = {
    "type": "array",
    "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer", "minimum": 1}},
}
OPENED_FIELD = {
    "coupleId": TEXT,
    "epoch": UINT32,
    "origin": one_of("invite", "rekey", "pairing", "exposed", "given"),
    "plaintext": HEX,
}
PEOPLE = {"ourUserId": TEXT, "ourPublicKey": TEXT, "theirUserId": TEXT, "theirPublicKey": TEXT}

OPERATIONS = {
    "field.open": Operation({"token": TEXT, "coupleId": TEXT}, {"plaintext": HEX}, {"keyset": HEX}),
    "placedField.open": Operation(
        {"token": TEXT, "coupleId": TEXT, "place": TEXT}, {"plaintext": HEX}, {"keyset": HEX}, (DATA,)
    ),
    "file.open": Operation(
        {"ciphertext": HEX, "associatedData": HEX, "coupleId": TEXT}, {"plaintext": HEX}, {"keyset": HEX}
    ),
    "aead.open": Operation({"ciphertext": HEX, "associatedData": HEX}, {"plaintext": HEX}, {"keyset": HEX}),
    "keyset.parse": Operation(
        {"keyset": HEX},
        {"primaryKeyId": UINT32, "keys": KEYS},
        {"format": one_of("binary", "json"), "reading": one_of("strict", "lenient")},
    ),
    "ecies.open": Operation(
        {"ciphertext": HEX, "context": HEX}, {"plaintext": HEX}, {"keyset": HEX}, (SHARED, DERIVED)
    ),
    "keybox.open": Operation(
        {"keybox": TEXT, "context": TEXT}, {"plaintext": HEX}, {"keyset": HEX}, (SHARED, DERIVED)
    ),
    "publicKey.parse": Operation({"publicKey": TEXT}, {"keyId": UINT32, "point": HEX}),
    "wrap.unwrap": Operation(
        {"wrappedCoupleKey": TEXT, "kdfSalt": TEXT, "kdfParams": TEXT, "phrase": TEXT},
        {"keyset": HEX},
        trace=(DERIVED,),
    ),
    "invite.open": Operation({"recoveryPhrase": TEXT, "code": TEXT}, {"phrase": TEXT}, trace=(DERIVED,)),
    "kdfParams.check": Operation({"kdfParams": TEXT}, {}),
    "commitment.verify": Operation({"received": HEX, "commitmentHash": TEXT}, {"payload": HEX}),
    "canonical": Operation({"text": HEX}, {"canonical": HEX}),
    "base64.decode": Operation({"text": TEXT}, {"bytes": HEX}, {"variant": one_of("standard", "url")}),
    "answer.open": Operation({"oneTimeKey": HEX, "userId": TEXT, **ANSWER}, {"payload": HEX}, trace=(DATA,)),
    "reveal": Operation(
        {
            "senderId": TEXT,
            "recipientId": TEXT,
            **ANSWER,
            "encryptedAnswerKey": TEXT,
            "place": TEXT,
            "pinnedCommitment?": TEXT,
        },
        {"payload": HEX, "place?": TEXT, "macKeyId?": UINT32},
        {"coupleKeyset": HEX, "identityKeyset": HEX},
    ),
    "rekey.open": Operation(
        {
            "encryptedCoupleKey": TEXT,
            "coupleId": TEXT,
            "senderId": TEXT,
            "recipientId": TEXT,
            "epoch": DECIMAL,
            "publicKey": TEXT,
        },
        {"keyset": HEX, "phrase": TEXT},
        {"identityKeyset": HEX},
    ),
    "document.check": Operation(
        {"text": TEXT, "previous?": TEXT},
        {},
        {"document": one_of(*DOCUMENTS)},
    ),
    "document.write": Operation(
        {"text": TEXT, "previous?": TEXT, "as?": TEXT, "path?": TEXT, "couple?": TEXT},
        {},
        {"document": one_of(*DOCUMENTS)},
    ),
    "x25519.agree": Operation({"privateKey": HEX, "publicKey": HEX}, {"sharedSecret": HEX}),
    "chat.fitlink.open": Operation(
        {**PEER, "chatId": TEXT, "encrypted_content": TEXT, "iv": TEXT},
        {"plaintext": HEX},
        trace=(SHARED, DERIVED),
    ),
    "chat.fond.open": Operation(
        {**PEER, "salt": HEX, "info": TEXT, "field": TEXT}, {"plaintext": HEX}, trace=(SHARED, DERIVED)
    ),
    "chat2.open": Operation(
        {
            "privateKey": HEX,
            "chatKey": {"type": "string", "pattern": "^[1-9][0-9]{0,9}:[0-9a-f]{64}$"},
            "peerPublicKey": TEXT,
            "peerChatKey": {"type": "string", "pattern": "^[1-9][0-9]{0,9}:"},
            **MESSAGE,
            "role": one_of("sender", "recipient"),
            "token": TEXT,
        },
        {"plaintext": HEX},
        trace=(SHARED, DERIVED, DATA),
    ),
    "chat2.receive": Operation(
        {
            "privateKey": HEX,
            "chatKeys": {"type": "string", "pattern": "^([1-9][0-9]{0,9}:[0-9a-f]{64}( (?=[1-9])|$))*$"},
            "peerPublicKey": TEXT,
            **MESSAGE,
            "token": TEXT,
            "state": TEXT,
            "now": {"type": "string", "pattern": "^[0-9]{1,12}$"},
        },
        {"new": {"type": "boolean"}, "missing": RANGES, "expired": {"type": "boolean"}, "state": TEXT},
    ),
    "chat2.key": Operation(
        {**PEER, "chatId": TEXT, "from": TEXT, "to": TEXT, "text": TEXT}, {"index": UINT32, "publicKey": TEXT}
    ),
    "stream.open": Operation(
        {"ciphertext": HEX, "associatedData": HEX}, {"plaintext": HEX}, {"keyset": HEX}, (DERIVED,)
    ),
    "safetyNumber.fingerprint": Operation({"identity": HEX, "key": HEX}, {"digits": DIGITS}),
    "safetyNumber.couple": Operation({"coupleId": TEXT, **PEOPLE}, {"digits": DIGITS}),
    "safetyNumber.x25519": Operation(PEOPLE, {"digits": DIGITS}),
    "openingKeys.field": Operation({"openingKeys": HEX, "token": TEXT}, OPENED_FIELD),
    "openingKeys.placedField": Operation({"openingKeys": HEX, "token": TEXT, "place": TEXT}, OPENED_FIELD),
    "openingKeys.fitlink": Operation(
        {"openingKeys": HEX, "encrypted_content": TEXT, "iv": TEXT}, {"plaintext": HEX}
    ),
    "openingKeys.fond": Operation({"openingKeys": HEX, "field": TEXT}, {"plaintext": HEX}),
    "pairing.code": Operation({"typed": TEXT}, {"lookup": TEXT, "secret": TEXT}),
    "cpace.generator": Operation({"password": HEX, "channel": HEX, "session": HEX}, {"generator": HEX}),
    "cpace.agree": Operation(
        {
            "role": one_of("initiator", "responder"),
            "password": HEX,
            "channel": HEX,
            "session": HEX,
            "scalar": HEX,
            "associatedData": HEX,
            "peerShare": HEX,
            "peerAssociatedData": HEX,
        },
        {"share": HEX, "sessionKey": HEX},
        trace=(SHARED,),
    ),
    "pairing.confirm": Operation(
        {
            "offer": TEXT,
            "scalar": HEX,
            "reply": TEXT,
            "epoch": DECIMAL,
            "keyset": HEX,
            "alone": one_of("true", "false"),
            "retiredIds?": IDS,
            "retiredKeyset?": HEX,
        },
        {
            "epoch": UINT32,
            "newPrimary": {"type": "boolean"},
            "keyIds": {"type": "array", "items": UINT32},
            "holdEpoch?": UINT32,
            "holdKeyset?": HEX,
        },
        trace=(SHARED, DERIVED, DATA),
    ),
    "pairing.finish": Operation(
        {
            "offer": TEXT,
            "code": TEXT,
            "scalar": HEX,
            **PARTY,
            "grant": TEXT,
            "epoch?": DECIMAL,
            "keyset?": HEX,
            "retiredIds?": IDS,
            "retiredKeyset?": HEX,
        },
        {"epoch": UINT32, "keyset": HEX, "phrase": TEXT, "migrating?": {"const": True}},
        trace=(SHARED, DERIVED, DATA),
    ),
}

# The operations of each file below v1/.
FILES = {
    "aead": ("aead.open",),
    "base64": ("base64.decode",),
    "canonical_json": ("canonical",),
    "chat_fitlink": ("chat.fitlink.open",),
    "chat_fond": ("chat.fond.open",),
    "chat_v2": ("chat2.open", "chat2.receive", "chat2.key"),
    "commitment": ("commitment.verify",),
    "cpace": ("cpace.generator", "cpace.agree"),
    "documents": ("document.check", "document.write"),
    "ecies": ("ecies.open",),
    "field": ("field.open",),
    "field_v2": ("placedField.open",),
    "file": ("file.open",),
    "invite": ("invite.open",),
    "kdf_params": ("kdfParams.check",),
    "keybox": ("keybox.open",),
    "keyset": ("keyset.parse",),
    "opening_keys": ("openingKeys.field", "openingKeys.placedField", "openingKeys.fitlink", "openingKeys.fond"),
    "pairing": ("pairing.confirm", "pairing.finish"),
    "pairing_code": ("pairing.code",),
    "public_key": ("publicKey.parse",),
    "rekey": ("rekey.open",),
    "reveal": ("reveal",),
    "safety_number": ("safetyNumber.fingerprint", "safetyNumber.couple", "safetyNumber.x25519"),
    "sealed_answer": ("answer.open",),
    "stream": ("stream.open",),
    "wrap": ("wrap.unwrap",),
    "x25519": ("x25519.agree",),
}
