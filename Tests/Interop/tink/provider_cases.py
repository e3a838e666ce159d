"""What one program makes the other opens; what was changed on the way both refuse, with the same words."""

import json
from collections.abc import Callable

import couple_stories
import ecies_cases
import stream_cases
import texts
import theirs
from chat_cases import chat_name
from chat_sides import option
from checks import Mismatch, Refusal, same
from device import Device
from draw import Draw
from partner.contexts import Question
from people import new_names, new_place
from program import Program

FAULTS = ("byte", "truncated", "context")


def fields(draw: Draw, maker: Program, opener: Program) -> dict[str, str]:
    keyset, couple = maker.new_keyset("--type", "aes256-gcm"), texts.couple(draw)
    kind, plaintext = texts.field_plaintext(draw)
    box = maker.seal_field(keyset, couple, plaintext)
    same("the field", plaintext, opener.open_field(keyset, couple, box))
    fault, changed, context = _fault(draw, box, couple)
    _both_refuse(maker, opener, lambda program: program.open_field(keyset, context, changed))
    return {"plaintext": kind, "fault": fault}


def keyboxes(draw: Draw, maker: Program, opener: Program) -> dict[str, str]:
    """One program makes the key, and opens; the other seals to it. Then the first seals, and the other opens."""
    keys = draw.turn("keys", ("made here", "of tink"))
    keyset = maker.new_keyset("--type", "ecies-p256")
    if keys == "of tink":
        keyset = theirs.write(ecies_cases.drawn(draw)[0], draw.choice(("binary", "json")))
    same("the key's parts", maker.list_keyset(keyset), opener.list_keyset(keyset))
    public = maker.keyset("public", keyset)
    same("the public key", public, opener.keyset("public", keyset))
    (kind, context), (_, plaintext) = texts.context(draw), texts.plaintext(draw)
    for sealer, reader in ((opener, maker), (maker, opener)):
        box = sealer.seal_box(public, context, plaintext)
        same("the keybox", plaintext, reader.open_box(keyset, context, box))
    fault, changed, other = _fault(draw, box, context)
    _both_refuse(maker, opener, lambda program: program.open_box(keyset, other, changed))
    return {"keys": keys, "context": kind, "fault": fault}


def streams_of_files(draw: Draw, maker: Program, opener: Program) -> dict[str, str]:
    keyset, facts, plaintext, (_, data) = stream_cases.drawn(draw)
    written = theirs.write(keyset, "binary")
    stream = stream_cases.run(maker, "seal", "files", written, data, plaintext)
    same("the file", plaintext, stream_cases.run(opener, "open", "files", written, data, stream))
    fault, changed, other = _fault(draw, stream, data)
    _both_refuse(maker, opener, lambda program: stream_cases.run(program, "open", "pipes", written, other, changed))
    return facts | {"fault": fault}


def chats(draw: Draw, maker: Program, opener: Program) -> dict[str, str]:
    """Each program has a key; a message goes each way, and both agree on one secret."""
    profile = draw.turn("profile", ("fitlink", "fond"))
    options = ["--profile", profile, *(option("--chat", chat_name(draw)) if profile == "fitlink" else [])]
    private = {program: program.run("x25519", "new") for program in (maker, opener)}
    files = {program: program.file(f"{number}.x25519", key) for number, (program, key) in enumerate(private.items())}
    public = {program: program.run("x25519", "public", "--private-key-file", files[program]).decode().strip() for program in private}

    def call(whose: Program, program: Program, *command: str, stdin: bytes = b"") -> bytes:
        theirs = public[opener if whose is maker else maker]
        return program.run(*command, "--private-key-file", files[whose], "--peer-key", theirs, stdin=stdin)

    for sealer, reader in ((maker, opener), (opener, maker)):
        # Fond's fields are texts.
        plaintext = texts.field_plaintext(draw)[1] if profile == "fitlink" else texts.context(draw)[1].encode()
        message = call(sealer, sealer, "chat", "seal", *options, stdin=plaintext)
        same("the message", plaintext, call(reader, reader, "chat", "open", *options, stdin=message))
    agreed = [call(program, program, "x25519", "agree") for program in (maker, opener)]
    same("the secret that both agree on", *agreed)
    changed = texts.changed_letter(draw, message)
    _both_refuse(maker, opener, lambda program: call(opener, program, "chat", "open", *options, stdin=changed))
    return {"profile": profile}


def vaults(draw: Draw, maker: Program, opener: Program) -> dict[str, str]:
    """One program makes a vault and writes into it; the other opens the same file, writes into it, and imports its export."""
    kind = draw.turn("lock", ("key file", "passphrase"))
    couple, user, _ = new_names(draw)
    passphrase = maker.file("passphrase", draw.randbytes(12).hex().encode())
    lock = ["--key-file", "vault.key"] if kind == "key file" else ["--passphrase-file", passphrase]
    whole = ["--vault", "vault.db", *lock]
    maker.run("device", "init", f"--user={user}", *whole)
    maker.run("couple", "create", *whole, f"--couple={couple}", "--phrase-file", "phrase", "-o", "invite")
    _same_of_both("device show", maker, opener, ["device", "show", *whole, "--json"])
    _same_of_both("couple show", maker, opener, ["couple", "show", *whole, f"--couple={couple}", "--json"])

    question = Question(couple, "q_1", new_place(draw, "daily"))
    place = [f"--couple={couple}", f"--question={question.id}", f"--place={question.place}"]
    opener.run("answer", "seal", *whole, *place, stdin=b'{"answer":"yes"}')
    field = opener.run("field", "seal", *whole, f"--couple={couple}", stdin=b"dinner at eight?")
    same("the field", b"dinner at eight?", maker.run("field", "open", *whole, f"--couple={couple}", stdin=field))
    _same_of_both("answer status", maker, opener, ["answer", "status", *whole, "--json"])
    _same_of_both("doctor", maker, opener, ["doctor", *whole, "--json"])

    export = ["--export-passphrase-file", passphrase]
    maker.run("device", "export", *whole, *export, "-o", "export")
    imported = ["--vault", "imported.db", "--key-file", "imported.key"]
    opener.run("device", "import", *imported, *export, "export")
    listed = [json.loads(maker.run("answer", "status", *vault, "--json")) for vault in (whole, imported)]
    same("the answers after the import", *listed)
    return {"lock": kind}


def couples(draw: Draw, maker: Program, opener: Program) -> dict[str, str]:
    """A couple's whole story, with one program on each phone: wraps, invites, answers, releases, a recovery."""
    couple, *users = new_names(draw)
    people = [Device(program, user) for program, user in zip((maker, opener), users)]
    return couple_stories.lived(draw, couple, *people)


def _fault(draw: Draw, box: bytes, context: str) -> tuple[str, bytes, str]:
    fault = draw.turn("fault", FAULTS)
    changed = {"byte": texts.flipped, "truncated": texts.truncated}.get(fault, lambda _, whole: whole)(draw, box)
    return fault, changed, texts.other(draw, context) if fault == "context" else context


def _both_refuse(maker: Program, opener: Program, attempt: Callable[[Program], object]) -> None:
    same("the refusal", _refusal(maker, attempt), _refusal(opener, attempt))


def _refusal(program: Program, attempt: Callable[[Program], object]) -> str:
    try:
        attempt(program)
    except Refusal as refusal:
        return str(refusal)
    raise Mismatch(f"{program.path} took what it must refuse")


def _same_of_both(what: str, maker: Program, opener: Program, command: list[str]) -> None:
    same(what, maker.run(*command), opener.run(*command))
