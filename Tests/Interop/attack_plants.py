"""Programs at fault, each a script before the real one. An attack that ends as it should with one of them proves nothing."""

import shlex
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Plant:
    """What a shell does in place of running the program, with which title of an attack it must be seen, and in which profile."""

    title: str
    shell: str
    profile: str = "hardened"


def _edited(words: str, expression: str) -> str:
    """Changes what these commands print, and keeps their exit status."""
    return f'case "$*" in *"{words}"*) out=$("$program" "$@"); code=$?; printf "%s" "$out" | sed "{expression}"; exit $code;; esac'


def _without(option: str) -> str:
    return f'for each; do shift; [ "$each" = "{option}" ] || set -- "$@" "$each"; done'


PLANTS = {
    "allows what nobody proves": Plant(
        "forges an answer without a MAC",
        'case "$*" in "answer reveal"*) exec "$program" "$@" --allow-unauthenticated;; esac',
    ),
    "drops --require-rekeyed": Plant("the same, with `--require-rekeyed`", _without("--require-rekeyed")),
    "drops --require-verified": Plant("the same, with `--require-verified`", _without("--require-verified")),
    "turns exit 8 into 0": Plant("announces an older encryption version", '"$program" "$@" || { code=$?; [ $code = 8 ] || exit $code; }; exit 0'),
    "swallows warnings": Plant("names its own key as the partner's", 'exec "$program" "$@" 2>/dev/null'),
    "hides a conflict": Plant("shows a false answer to get the release", _edited("answer status", 's/"conflict":true/"conflict":false/')),
    "calls everything authenticated": Plant(
        "forges an answer under the key of the invite", _edited("answer reveal", "s/serverForgeable/authenticated/")
    ),
    "calls every origin a rekey": Plant("the same, with `--json`", _edited("field open", 's/"origin":"[a-z]*"/"origin":"rekey"/')),
    "seals compat as hardened": Plant(
        "guesses an answer from its commitment",
        'for each; do shift; [ "$each" != hardened ] || each=compat; set -- "$@" "$each"; done',
    ),
    "names another error": Plant("forges an answer without any couple key", _edited("answer reveal", "s/macInvalid/authFailed/")),
    "judges a reply twice": Plant(
        "guesses the code towards the inviter",
        'case "$*" in "couple confirm"*) for each in *.db; do cp $each $each.kept; done; cp -r closer-keys kept;'
        ' "$program" "$@"; code=$?; [ $code = 0 ] || { for each in *.db; do cp $each.kept $each; done; rm -r closer-keys; mv kept closer-keys; };'
        " rm -rf kept *.kept; exit $code;; esac",
    ),
}


def planted(name: str, program: Path, folder: Path) -> Path:
    """The script, which ends with the real program unless the fault did."""
    script = folder / "closer-keys-at-fault"
    script.write_text(f'#!/bin/sh\nprogram={shlex.quote(str(program))}\n{PLANTS[name].shell}\nexec "$program" "$@"\n')
    script.chmod(0o755)
    return script
