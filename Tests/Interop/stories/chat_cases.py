"""Messages of FitLink and Fond, key agreement and safety numbers: each side reads what the other makes."""

import json

import texts
from chat_sides import identifier, new_pair, option
from checks import Mismatch, same
from draw import Draw
from partner import chat
from program import Program

VALUES = {
    "text": lambda draw: "".join(draw.choices(texts.SAMPLES, k=draw.randint(0, 40))),
    "status": lambda draw: "".join(draw.choices(texts.SAMPLES, k=draw.randint(1, 5))),
    "location": lambda draw: json.dumps({"lon": draw.uniform(-180, 180), "lat": draw.uniform(-90, 90)}),
    "heartbeat": lambda draw: json.dumps({"bpm": draw.randint(1, 999)}),
}
SALTS = ("none", "text", "hex")
INFOS = ("default", "text", "empty")


def fitlink_python_to_ours(draw: Draw, ours: Program) -> dict[str, str]:
    pair, name, (kind, plaintext) = new_pair(draw, ours), chat_name(draw), texts.field_plaintext(draw)
    message = chat.document(chat.seal(pair.theirs.fitlink_key(pair.public, name), plaintext))
    if draw.random() < 0.5:
        message = {"sender": "é", **message, "at": [draw.randrange(10**9)]}
    text = json.dumps(message, ensure_ascii=draw.random() < 0.5).encode()
    opened = pair.call("chat", "open", *fitlink(name), stdin=text)
    same("plaintext", plaintext, opened)
    return {"plaintext": kind, "key": pair.kind}


def fitlink_ours_to_python(draw: Draw, ours: Program) -> dict[str, str]:
    pair, name, (kind, plaintext) = new_pair(draw, ours), chat_name(draw), texts.field_plaintext(draw)
    message = pair.call("chat", "seal", *fitlink(name), stdin=plaintext)
    key = pair.theirs.fitlink_key(pair.public, name)
    same("plaintext", plaintext, chat.open_box(key, chat.box_of(message)))
    same("the document", chat.document(chat.box_of(message)), json.loads(message))
    return {"plaintext": kind, "key": pair.kind}


def fond_python_to_ours(draw: Draw, ours: Program) -> dict[str, str]:
    pair, (kinds, options, salt, info) = new_pair(draw, ours), fond(draw)
    kind, plaintext = texts.field_plaintext(draw)
    field = chat.encode(chat.seal(pair.theirs.agree(pair.public, salt, info), plaintext)).encode()
    same("plaintext", plaintext, pair.call("chat", "open", *options, stdin=b" " + field + b"\r\n"))
    return {"plaintext": kind, "key": pair.kind, **kinds}


def fond_ours_to_python(draw: Draw, ours: Program) -> dict[str, str]:
    pair, (kinds, options, salt, info) = new_pair(draw, ours), fond(draw)
    value = draw.turn("value", VALUES)
    plaintext = VALUES[value](draw).encode()
    field = pair.call("chat", "seal", *options, "--type", value, stdin=plaintext)
    opened = chat.open_box(pair.theirs.agree(pair.public, salt, info), chat.decode(field.removesuffix(b"\n")))
    check_value(value, plaintext, opened)
    return {"value": value, "key": pair.kind, **kinds}


def agreement(draw: Draw, ours: Program) -> dict[str, str]:
    pair, (kinds, options, salt, info) = new_pair(draw, ours), derivation(draw)
    form = draw.turn("form", ("base64", "binary"))
    made = pair.call("x25519", "agree", *options, "--format", form)
    key = made if form == "binary" else chat.decode(made.removesuffix(b"\n"))
    same("key", pair.theirs.agree(pair.public, salt, info), key)
    return {"form": form, "key": pair.kind, **kinds}


def safety_number(draw: Draw, ours: Program) -> dict[str, str]:
    """Python's digits are compared by closer-keys too, and with one changed they are no longer the same."""
    pair, their_user = new_pair(draw, ours), identifier(draw)
    digits = chat.safety_number([(pair.user, pair.public), (their_user, pair.theirs.public)])
    users = option("--partner", their_user)
    if pair.kind != "vault":
        users += option("--user", pair.user)
    shown = pair.call("x25519", "safety-number", *users).decode()
    same("digits", " ".join(digits[at : at + 5] for at in range(0, 60, 5)) + "\n", shown)
    pair.call("x25519", "safety-number", *users, "--digits", digits)
    place = draw.randrange(60)
    other = digits[:place] + str((int(digits[place]) + draw.randint(1, 9)) % 10) + digits[place + 1 :]
    ended = ours.call("x25519", "safety-number", *users, "--digits", other, *pair.options, *pair.peer())
    same("the exit with a changed digit", 1, ended.returncode)
    return {"key": pair.kind}


def check_value(value: str, plaintext: bytes, opened: bytes) -> None:
    """A location comes out rounded to two decimals, and everything else unchanged."""
    if value in ("text", "status"):
        same("plaintext", plaintext, opened)
    elif value == "heartbeat":
        same("heartbeat", json.loads(plaintext), json.loads(opened))
    else:
        exact, rounded = json.loads(plaintext), json.loads(opened)
        same("members", ["lat", "lon"], list(rounded))
        for name, degrees in rounded.items():
            if round(degrees, 2) != degrees or abs(degrees - exact[name]) > 0.005 + 1e-9:
                raise Mismatch(f"{name} {exact[name]} became {degrees}")


def chat_name(draw: Draw) -> str:
    return "_".join(sorted((identifier(draw), identifier(draw)), key=str.encode))


def fitlink(name: str) -> list[str]:
    return ["--profile", "fitlink", *option("--chat", name)]


def fond(draw: Draw) -> tuple[dict[str, str], list[str], bytes, bytes]:
    kinds, options, salt, info = derivation(draw, b"Fond")
    return kinds, ["--profile", "fond", *options], salt, info


def derivation(draw: Draw, default: bytes = b"") -> tuple[dict[str, str], list[str], bytes, bytes]:
    """Kinds, options, salt and info."""
    salt_kind, info_kind = draw.turn("salt", SALTS), draw.turn("info", INFOS)
    text, options = "".join(draw.choices(texts.SAMPLES, k=draw.randint(1, 20))), []
    salt = {"none": b"", "text": text.encode(), "hex": draw.randbytes(draw.randint(0, 100))}[salt_kind]
    if salt_kind == "text":
        options += option("--salt", text)
    elif salt_kind == "hex":
        options += option("--salt-hex", salt.hex())
    info = {"default": default, "text": text[::-1].encode(), "empty": b""}[info_kind]
    if info_kind != "default":
        options += option("--info", info.decode())
    return {"salt": salt_kind, "info": info_kind}, options, salt, info
