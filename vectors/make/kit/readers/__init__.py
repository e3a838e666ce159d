"""One reader for each operation, none of them closer-keys: what the other implementations make of a case."""

from checks import Refused
from kit.readers import answers, bound_messages, chats, couples, document_writes, documents, keyset_files, opening_keys, pairings
from kit.readers import rekeys, safety_numbers, streams, texts, tink_boxes, tink_ciphertexts

READERS = {
    "aead.open": tink_ciphertexts.open_aead,
    "answer.open": answers.open_answer,
    "base64.decode": texts.decode,
    "canonical": texts.canonical,
    "chat.fitlink.open": chats.open_fitlink,
    "chat.fond.open": chats.open_fond,
    "chat2.key": bound_messages.take_key,
    "chat2.open": bound_messages.open_message,
    "chat2.receive": bound_messages.receive,
    "commitment.verify": answers.verify_commitment,
    "cpace.agree": pairings.agree,
    "cpace.generator": pairings.generator,
    "document.check": documents.check,
    "document.write": document_writes.write,
    "ecies.open": tink_boxes.open_ecies,
    "field.open": tink_ciphertexts.open_field,
    "file.open": streams.open_file,
    "invite.open": couples.open_invite,
    "kdfParams.check": couples.check_costs,
    "keybox.open": tink_boxes.open_keybox,
    "keyset.parse": keyset_files.parse,
    "openingKeys.field": opening_keys.open_field,
    "openingKeys.placedField": opening_keys.open_placed_field,
    "openingKeys.fitlink": opening_keys.open_fitlink,
    "openingKeys.fond": opening_keys.open_fond,
    "pairing.code": pairings.read_code,
    "pairing.confirm": pairings.confirm,
    "pairing.finish": pairings.finish,
    "placedField.open": tink_ciphertexts.open_placed_field,
    "publicKey.parse": tink_boxes.parse_public_key,
    "rekey.open": rekeys.open_rekey,
    "reveal": answers.reveal,
    "safetyNumber.couple": safety_numbers.of_couple,
    "safetyNumber.fingerprint": safety_numbers.fingerprint,
    "safetyNumber.x25519": safety_numbers.of_x25519,
    "stream.open": streams.open_stream,
    "wrap.unwrap": couples.unwrap,
    "x25519.agree": chats.agree,
}


def verdict(operation: str, case: dict) -> dict | str:
    """The output as a file has it, or the id of the error."""
    try:
        output = READERS[operation](case)
    except Refused as refused:
        return refused.code
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in output.items()}
