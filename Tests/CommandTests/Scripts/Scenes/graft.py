"""Puts the key slot of one vault's file in front of the rest of another: LP(id, protection, box) behind a mark of 20 bytes."""

import struct
import sys


def split(path: str) -> tuple[bytes, bytes]:
    data, at = open(path, "rb").read(), 20
    for _ in range(3):
        at += 4 + struct.unpack(">I", data[at : at + 4])[0]
    return data[:at], data[at:]


open(sys.argv[3], "wb").write(split(sys.argv[1])[0] + split(sys.argv[2])[1])
