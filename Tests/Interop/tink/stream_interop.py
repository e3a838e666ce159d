"""closer-keys against Tink for Python: files sealed as streams, both ways, with the real binary.

Keys, contents and associated data come from the seed, the row and its index; salts and nonce prefixes are new each
time. Exits with 1 if a case fails, or if fewer cases passed, or of fewer kinds, than is demanded.
"""

import sys

import attachment_cases
import demands
import runner
import stream_cases
import streams

STREAM = demands.PREFIX | demands.ROTATION | {
    "segment": tuple(streams.SEGMENTS),
    "size": tuple(streams.SIZES),
    "associated data": ("empty", "short", "non-ascii", "long"),
    "form": stream_cases.FORMS,
    "way": stream_cases.WAYS,
}
KINDS = {
    "streams tink->ours": STREAM | {"keys": ("made here",)},
    "streams ours->tink": STREAM | {"keys": ("made here", "ours")},
    "streams refused": {"fault": (*stream_cases.FAULTS, "associated data", "disabled key")},
    "foreign keys refused": {"kind": tuple(stream_cases.FOREIGN)},
    "attachments tink->ours": {"size": tuple(streams.SIZES), "keys": ("of tink", "made here")},
    "attachments ours->tink": {"size": tuple(streams.SIZES)},
    "attachments refused": {"fault": attachment_cases.FAULTS},
}
ROWS = {
    "streams tink->ours": stream_cases.tink_to_ours,
    "streams ours->tink": stream_cases.ours_to_tink,
    "streams refused": stream_cases.refused,
    "foreign keys refused": stream_cases.foreign,
    "attachments tink->ours": attachment_cases.tink_to_ours,
    "attachments ours->tink": attachment_cases.ours_to_tink,
    "attachments refused": attachment_cases.refused,
}

SUITE = runner.Suite(
    title=__doc__.splitlines()[0],
    peers=("tink",),
    rows=ROWS,
    kinds=KINDS,
    default_count=1000,
    counted="round trips each way",
    case_count=demands.case_count,
    of_each_kind=demands.of_each_kind,
)

if __name__ == "__main__":
    sys.exit(runner.run(SUITE))
