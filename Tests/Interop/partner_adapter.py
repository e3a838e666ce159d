"""The partner behind the line protocol of vectors/README.md: every operation, by implementations that are not closer-keys."""

import json
import sys

from kit.readers import READERS, verdict


def answer(message: dict) -> dict:
    if message["cmd"] == "start":
        return {"features": list(READERS)}
    found = verdict(message["op"], message["case"])
    return {"error": found} if isinstance(found, str) else {"output": found}


for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    print(json.dumps({"seq": message["seq"], **answer(message)}), flush=True)
