"""closer-keys against a chat partner in Python: FitLink's and Fond's messages, agreement, safety numbers.

The partner is pyca/cryptography and hashlib. Every case draws its keys and texts from the seed, the name of its
row and its index, so that it can be run again alone with --only. Exits with 1 if a case fails, or if fewer
cases passed, or of fewer kinds, than is demanded.
"""

import sys

import chat_cases
import chat_faults
import runner

KEY = {"key": ("of python", "made here", "vault")}
PLAINTEXT = {"plaintext": ("empty", "byte", "block", "text", "random")}
DERIVATION = {"salt": chat_cases.SALTS, "info": chat_cases.INFOS}

ROWS = {
    "fitlink python->ours": chat_cases.fitlink_python_to_ours,
    "fitlink ours->python": chat_cases.fitlink_ours_to_python,
    "fitlink refused": chat_faults.fitlink_refused,
    "fond python->ours": chat_cases.fond_python_to_ours,
    "fond ours->python": chat_cases.fond_ours_to_python,
    "fond refused": chat_faults.fond_refused,
    "agreement": chat_cases.agreement,
    "safety number": chat_cases.safety_number,
}

KINDS = {
    "fitlink python->ours": PLAINTEXT | KEY,
    "fitlink ours->python": PLAINTEXT | KEY,
    "fitlink refused": {"fault": tuple(chat_faults.FITLINK)},
    "fond python->ours": PLAINTEXT | KEY | DERIVATION,
    "fond ours->python": {"value": tuple(chat_cases.VALUES)} | KEY | DERIVATION,
    "fond refused": {"fault": tuple(chat_faults.FOND)},
    "agreement": {"form": ("base64", "binary")} | KEY | DERIVATION,
    "safety number": KEY,
}

SUITE = runner.Suite(
    title=__doc__.splitlines()[0],
    peers=("cryptography",),
    rows=ROWS,
    kinds=KINDS,
    default_count=200,
    counted="cases of each row",
    case_count=lambda row, count: count,
    of_each_kind=lambda row, count: count // 20,
)

if __name__ == "__main__":
    sys.exit(runner.run(SUITE))
