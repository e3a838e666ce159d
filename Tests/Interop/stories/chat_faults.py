"""Messages that must not open: changed, cut, from another chat, or not messages at all. Unchanged, each opens first."""

import json

import texts
from chat_cases import chat_name, fitlink, fond
from chat_sides import Pair, new_pair, option
from checks import Mismatch, same
from cryptography.exceptions import InvalidTag
from draw import Draw
from partner import chat
from program import Program

AUTH_FAILED, MALFORMED = 3, 5

FITLINK = {
    "content bit": AUTH_FAILED,
    "iv bit": AUTH_FAILED,
    "cut": AUTH_FAILED,
    "chat": AUTH_FAILED,
    "other key": AUTH_FAILED,
    "other peer": AUTH_FAILED,
    "iv length": MALFORMED,
    "base64": MALFORMED,
    "json": MALFORMED,
    "low order": MALFORMED,
}
FOND = {
    "bit": AUTH_FAILED,
    "cut": AUTH_FAILED,
    "salt": AUTH_FAILED,
    "info": AUTH_FAILED,
    "other key": AUTH_FAILED,
    "other peer": AUTH_FAILED,
    "base64": MALFORMED,
    "low order": MALFORMED,
}
# u-coordinates of low order: 0, 1, two of order 8, p - 1, p and p + 1.
LOW_ORDER = tuple(
    bytes.fromhex(text)
    for text in (
        "00" * 32,
        "01" + "00" * 31,
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ec" + "ff" * 30 + "7f",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 30 + "7f",
    )
)


def fitlink_refused(draw: Draw, ours: Program) -> dict[str, str]:
    fault, pair, name = draw.turn("fault", FITLINK), new_pair(draw, ours), chat_name(draw)
    key, plaintext = pair.theirs.fitlink_key(pair.public, name), texts.plaintext(draw)[1]
    box = chat.seal(key, plaintext)
    text = json.dumps(chat.document(box)).encode()
    same("plaintext", plaintext, pair.call("chat", "open", *fitlink(name), stdin=text))

    iv, content = box[:12], box[12:]
    if fault == "content bit":
        content = texts.flipped(draw, content)
    elif fault == "iv bit":
        iv = texts.flipped(draw, iv)
    elif fault == "cut":
        content = texts.truncated(draw, content)
    elif fault == "iv length":
        iv = draw.choice((iv[:11], iv + b"\0", b"", iv + iv))
    elif fault == "chat":
        name = texts.other(draw, name)
        key = pair.theirs.fitlink_key(pair.public, name)
    if FITLINK[fault] == AUTH_FAILED and not fault.startswith("other"):
        python_refuses(key, iv + content)
    text = json.dumps({"encrypted_content": chat.encode(content), "iv": chat.encode(iv)}).encode()
    if fault == "base64":
        text = text.replace(b'", "iv', draw.choice((b'=", "iv', b'\\n", "iv', b'-", "iv')))
    elif fault == "json":
        text = draw.choice((text[:-1], text + b"{}", b"[" + text + b"]", text.replace(b'"iv"', b'"IV"'), b""))
    refused(draw, pair, fault, FITLINK[fault], fitlink(name), text)
    return {"fault": fault}


def fond_refused(draw: Draw, ours: Program) -> dict[str, str]:
    fault, pair, (_, options, salt, info) = draw.turn("fault", FOND), new_pair(draw, ours), fond(draw)
    key, plaintext = pair.theirs.agree(pair.public, salt, info), texts.plaintext(draw)[1]
    box = chat.seal(key, plaintext)
    same("plaintext", plaintext, pair.call("chat", "open", *options, stdin=chat.encode(box).encode()))

    if fault == "bit":
        box = texts.flipped(draw, box)
    elif fault == "cut":
        box = texts.truncated(draw, box)
    elif fault in ("salt", "info"):
        # Not zeros at its end: HMAC pads its key with zeros, so the salt would be the same.
        salt, info = (salt + b"\1", info) if fault == "salt" else (salt, info + b"x")
        options = ["--profile", "fond", *option("--salt-hex", salt.hex()), *option("--info", info.decode())]
        key = pair.theirs.agree(pair.public, salt, info)
    if FOND[fault] == AUTH_FAILED and not fault.startswith("other"):
        python_refuses(key, box)
    text = chat.encode(box).encode()
    if fault == "base64":
        text = draw.choice((text + b"=", text[:-1], text[:4] + b"\n" + text[4:], b"-" + text[1:]))
    refused(draw, pair, fault, FOND[fault], options, text)
    return {"fault": fault}


def refused(draw: Draw, pair: Pair, fault: str, exit_status: int, options: list[str], text: bytes) -> None:
    own, peer = pair.options, pair.theirs.public
    if fault == "other key":
        own = ["--private-key-file", pair.ours.file("other", chat.encode(draw.randbytes(32)).encode())]
    elif fault == "other peer":
        peer = chat.Side(draw.randbytes(32)).public
    elif fault == "low order":
        peer = draw.choice(LOW_ORDER)
        peer = peer[:31] + bytes([peer[31] | draw.choice((0, 0x80))])
    ended = pair.ours.call("chat", "open", *options, *own, *pair.peer(peer), stdin=text)
    same("the exit", exit_status, ended.returncode)
    same("what is printed", b"", ended.stdout)


def python_refuses(key: bytes, box: bytes) -> None:
    try:
        chat.open_box(key, box)
    except (InvalidTag, ValueError):
        return
    raise Mismatch("python took what it must refuse")
