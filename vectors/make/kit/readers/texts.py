"""Texts that have one spelling: base64 by Python, canonical JSON by rfc8785."""

from partner import canonical as json_forms
from partner.encoding import from_standard, from_url


def decode(case: dict) -> dict:
    return {"bytes": (from_standard if case["variant"] == "standard" else from_url)(case["text"])}


def canonical(case: dict) -> dict:
    return {"canonical": json_forms.canonical(json_forms.parsed(bytes.fromhex(case["text"])))}
