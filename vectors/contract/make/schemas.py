"""JSON Schemas (2020-12) of the contract: one for each kind, which holds all that it needs."""

import json

WRAP = ["wrappedCoupleKey", "kdfSalt", "kdfParams"]
NULL = {"type": "null"}
# The rules between members that a schema can say.
WHOLE = {"required": WRAP, "properties": {name: {"not": NULL} for name in WRAP}}
NO_WRAP = {"properties": {name: NULL for name in WRAP}}
ACCEPTED = {"required": ["status"], "properties": {"status": {"const": "accepted"}}}
PHRASE = {"required": ["recoveryPhrase"], "properties": {"recoveryPhrase": {"not": NULL}}}
RELATIONS = {
    "untilAccepted": {"if": ACCEPTED, "else": PHRASE},
    "wiped": {"if": ACCEPTED, "then": {"properties": {"recoveryPhrase": NULL}}},
    "wholeWrap": {"anyOf": [WHOLE, NO_WRAP]},
    "versionForWrap": {"if": WHOLE, "then": {"properties": {"encryptionVersion": {"not": {"const": 0}}}}},
    "wrapForVersion": {
        "if": NO_WRAP,
        "then": {"properties": {"encryptionVersion": {"not": {"enum": [1, 2]}}}},
    },
}
TYPES = {"list": "array", "map": "object", "number": "integer"}


def files(contract: dict) -> dict[str, str]:
    """The text of each schema, by its path."""
    rules = contract["rules"]
    return {
        f"schemas/{name}.schema.json": json.dumps(schema(name, kind, rules), indent=1, ensure_ascii=False) + "\n"
        for name, kind in contract["kinds"].items()
    }


def schema(name: str, kind: dict, rules: dict) -> dict:
    named = kind["members"]
    between = [rule for rule in relations(kind) if rule in RELATIONS]
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": "Made from vectors/contract/rules.json by its make/generate.py.",
        "type": "object",
        "required": [member["name"] for member in named if member["presence"] == "required"],
        "properties": {member["name"]: property_of(member, rules) for member in named},
    }
    if "texts" in kind:
        made |= texts(kind["texts"], made["properties"], rules)
    return made | ({"allOf": [RELATIONS[rule] for rule in between]} if between else {})


def relations(kind: dict) -> list[str]:
    """The rules of the kind that compare members."""
    presences = {member["presence"] for member in kind["members"]}
    return sorted(presences & {"wholeWrap", "untilAccepted"}) + [relation["rule"] for relation in kind.get("relations", [])]


def property_of(member: dict, rules: dict) -> dict:
    """A member. Null counts as missing."""
    if member["presence"] == "absent":
        return {**NULL, "description": rules["absent"]["requirement"]}
    value = time_of(rules) if member["type"] == "time" else value_of(member, rules)
    if member["presence"] == "required":
        return value
    return {"anyOf": [NULL, value]}


def value_of(member: dict, rules: dict) -> dict:
    made = {"type": TYPES.get(member["type"], member["type"])}
    for name in member["rules"]:
        made |= form(rules[name], rules)
    return made


def form(rule: dict, rules: dict) -> dict:
    """What a schema can say of a rule."""
    made = {"description": rule["requirement"]} if "refused" not in rule else {}
    if "pattern" in rule:
        made["pattern"] = whole(rule["pattern"])
    if "texts" in rule:
        made["enum"] = rule["texts"]
    if "refused" in rule:
        made["not"] = {"enum": rule["refused"]}
    if "length" in rule:
        made |= bounds("Length", rule["length"])
    if "numbers" in rule:
        made |= {"minimum": rule["numbers"][0], "maximum": rule["numbers"][1]}
    return made | (elements(rule, rules) if "elements" in rule else {})


def elements(rule: dict, rules: dict) -> dict:
    """A list, or a map whose names are ids."""
    each = rule["elements"]
    element = (
        {"const": each["constant"]} if "constant" in each else {"type": "string", **form(rules[each["rule"]], rules)}
    )
    if each.get("unique"):
        return {"items": element, "uniqueItems": True, **bounds("Items", rule["count"])}
    names = {"pattern": whole(rules["identifier"]["pattern"])}
    return {"propertyNames": names, "additionalProperties": element, **bounds("Properties", rule["count"])}


def texts(said: dict, properties: dict, rules: dict) -> dict:
    """What the texts of other members may be, at any depth. Numbers and truth values are free."""
    names = ({"time"} if "times" in said else set()) | set(said["named"].values())
    allowed = {"token": [rules[said["tokens"]]] if "tokens" in said else []}
    allowed |= {name: [rules[name], *allowed["token"]] for name in sorted(names)}
    named = {name: {"$ref": f"#/$defs/{rule}"} for name, rule in said["named"].items()}
    made = {"properties": properties | named, "additionalProperties": {"$ref": "#/$defs/token"}}
    if "times" in said:
        made["patternProperties"] = {f"{said['times']}(?![\\s\\S])": {"$ref": "#/$defs/time"}}
    return made | {"$defs": {name: value_with(each, rules) for name, each in allowed.items()}}


def value_with(allowed: list[dict], rules: dict) -> dict:
    """A text of one of these, or a value in which each text is a token."""
    parts = {"$ref": "#/$defs/token"}
    text = {"anyOf": [form(rule, rules) for rule in allowed]} if allowed else False
    return {"if": {"type": "string"}, "then": text, "items": parts, "additionalProperties": parts}


def time_of(rules: dict) -> dict:
    parts = dict.fromkeys(("seconds", "nanoseconds", "_seconds", "_nanoseconds"), {"type": "number"})
    of_sdk = {"type": "object", "minProperties": 1, "properties": parts, "additionalProperties": False}
    return {"anyOf": [{"type": "number"}, {"type": "string", **form(rules["time"], rules)}, of_sdk]}


def whole(pattern: str) -> str:
    """The pattern without `$`, which in Python comes before a last line break, too."""
    return pattern.removesuffix("$") + "(?![\\s\\S])"


def bounds(what: str, ends: list[int]) -> dict:
    return {f"min{what}": ends[0], f"max{what}": ends[1]}
