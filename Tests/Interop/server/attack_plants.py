"""Programs at fault, each a script before the real one. An attack that ends as it should with one of them proves nothing."""

import shlex
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Plant:
    """The attack in which it must be seen, what must be said then, and what a shell does before it runs the program."""

    title: str
    words: str
    shell: str


def _edited(command: str, expression: str) -> str:
    """Changes what this command prints, and keeps its exit status."""
    edited = f'out=$("$program" "$@"); code=$?; printf "%s" "$out" | sed {shlex.quote(expression)}; exit $code'
    return f'case "$*" in "{command}"*) {edited};; esac'


def _with_options(change: str) -> str:
    """Goes through the arguments; `change` may put one back."""
    return f'for each; do shift; {change}; done'


TAKEN = "taken, where all must be refused"
TWICE = """case "$*" in
"pair confirm"*)
    for each in *.db; do cp "$each" "$each.kept"; done
    cp -r closer-keys kept
    "$program" "$@" && exit 0
    code=$?
    for each in *.db; do mv "$each.kept" "$each"; done
    rm -r closer-keys
    mv kept closer-keys
    exit "$code";;
esac"""

PLANTS = {
    "allows what nobody proves": Plant(
        "forges an answer without a MAC",
        "saw 'told: unauthenticated'",
        'case "$*" in "answer reveal"*) exec "$program" "$@" --allow-unauthenticated;; esac',
    ),
    "calls every answer authenticated": Plant(
        "forges an answer under the key of the invite",
        "saw 'taken as authenticated'",
        _edited("answer reveal", "s/serverForgeable/authenticated/"),
    ),
    "names another error": Plant(
        "forges an answer without any couple key",
        "saw 'refused: authFailed'",
        _edited("answer reveal", "s/macInvalid/authFailed/"),
    ),
    "hides a conflict": Plant(
        "shows a false answer to get the release",
        "saw 'refused: pinMismatch'",
        _edited("answer status", 's/"conflict":true/"conflict":false/'),
    ),
    "seals compat as hardened": Plant(
        "guesses an answer from its commitment",
        "saw 'possible (W2)'",
        _with_options('[ "$each" != hardened ] || each=compat; set -- "$@" "$each"'),
    ),
    "drops --require-private": Plant(
        "forges one, against `--require-private`",
        TAKEN,
        _with_options('[ "$each" = --require-private ] || set -- "$@" "$each"'),
    ),
    "drops --require-verified": Plant(
        "names its own key, against `--require-verified`",
        "saw 'told: warning'",
        _with_options('[ "$each" = --require-verified ] || set -- "$@" "$each"'),
    ),
    "calls every origin a rekey": Plant(
        "forges one, and somebody reads `--json`",
        "saw 'silent'",
        _edited("field open", 's/"origin":"[a-z]*"/"origin":"rekey"/'),
    ),
    "turns exit 8 into 0": Plant(
        "announces an older encryption version",
        TAKEN,
        '"$program" "$@" || { code=$?; [ "$code" = 8 ] || exit "$code"; }; exit 0',
    ),
    "swallows warnings": Plant("names its own key as the partner's", "saw 'silent'", 'exec "$program" "$@" 2>/dev/null'),
    "takes the couple from the offer": Plant(
        "lets a stranger invite to a couple whose name they know",
        TAKEN,
        'case "$*" in *--couple=*) ;; "pair accept"*) exec "$program" "$@" --couple=couple_1 --replace-partner --yes;; esac',
    ),
    "lets anybody replace the partner": Plant(
        "has another user than the partner answer with the code",
        TAKEN,
        'case "$*" in "pair confirm"*) exec "$program" "$@" --replace-partner;; esac',
    ),
    "gives away what the document asks for": Plant(
        "plants an answer to the question that it wants; the person names none",
        TAKEN,
        'case "$*" in *--question=*) ;; "answer release"*) exec "$program" "$@" --question=q_43 --partner=bob;; esac',
    ),
    "counts no message": Plant(
        "repeats a bound message",
        TAKEN,
        'case "$*" in "chat receive"*) exec "$program" "$@" --peek;; esac',
    ),
    "reads what is not bound": Plant(
        "shows a message of v1 to people whose apps bind theirs",
        TAKEN,
        'case "$*" in "chat open"* | "chat seal"*) exec "$program" "$@" --allow-unbound;; esac',
    ),
    "judges a reply twice": Plant("guesses the code towards the inviter", "taken, where inviteClosed was due", TWICE),
}


def planted(name: str, program: Path, folder: Path) -> Path:
    """The script, which ends with the real program unless the fault did."""
    script = folder / "closer-keys-at-fault"
    script.write_text(f'#!/bin/sh\nprogram={shlex.quote(str(program))}\n{PLANTS[name].shell}\nexec "$program" "$@"\n')
    script.chmod(0o755)
    return script
