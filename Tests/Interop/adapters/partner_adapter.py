"""The partner behind the line protocol of vectors/README.md: every operation, by implementations that are not closer-keys."""

import json
import sys

from kit.readers import READERS, verdict
from partner_sealer import SEALERS


def answer(message: dict) -> dict:
    if message["cmd"] == "start":
        return {"features": [*READERS, *SEALERS]}
    if message["op"] in SEALERS:
        return {"output": SEALERS[message["op"]](message["case"])}
    found = verdict(message["op"], message["case"])
    return {"error": found} if isinstance(found, str) else {"output": found}


for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    print(json.dumps({"seq": message["seq"], **answer(message)}), flush=True)
