"""One reader for each operation, none of them closer-keys: what the other implementations make of a case."""

from checks import Refused
from kit.readers import texts, tink_ciphertexts

READERS = {
    "aead.open": tink_ciphertexts.open_aead,
    "base64.decode": texts.decode,
    "canonical": texts.canonical,
    "field.open": tink_ciphertexts.open_field,
}


def verdict(operation: str, case: dict) -> dict | str:
    """The output as a file has it, or the id of the error."""
    try:
        output = READERS[operation](case)
    except Refused as refused:
        return refused.code
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in output.items()}
