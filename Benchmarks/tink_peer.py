"""Does Tink's part in `bench --python PATH`: says who it is, and then works when it is asked to.

usage: tink_peer.py FIELD KEY      each is BYTE_COUNT:ASSOCIATED_DATA
needs: pip install tink

A line of input is a name and a number, such as `aeadSeal 4096`; the answer is how many nanoseconds that took, as in Server.swift.
"""

import sys
import time
from importlib.metadata import version

import tink
from tink import aead, hybrid


def nanoseconds(work, times):
    start = time.perf_counter_ns()
    for _ in range(times):
        work()
    return time.perf_counter_ns() - start


def aead_works(plaintext, associated_data):
    handle = tink.new_keyset_handle(aead.aead_key_templates.AES256_GCM)
    peer = handle.primitive(aead.Aead)
    sealed = peer.encrypt(plaintext, associated_data)
    return {
        "aeadSeal": lambda: peer.encrypt(plaintext, associated_data),
        "aeadOpen": lambda: peer.decrypt(sealed, associated_data),
    }


def hybrid_works(plaintext, context):
    template = hybrid.hybrid_key_templates.ECIES_P256_HKDF_HMAC_SHA256_AES128_GCM
    handle = tink.new_keyset_handle(template)
    ours = handle.primitive(hybrid.HybridDecrypt)
    theirs = handle.public_keyset_handle().primitive(hybrid.HybridEncrypt)
    sealed = theirs.encrypt(plaintext, context)
    return {
        "keyboxSeal": lambda: theirs.encrypt(plaintext, context),
        "keyboxOpen": lambda: ours.decrypt(sealed, context),
    }


def message(argument):
    count, tied_to = argument.split(":", 1)
    return bytes(int(count)), tied_to.encode()


def main():
    aead.register()
    hybrid.register()
    field, key = (message(argument) for argument in sys.argv[1:3])
    works = aead_works(*field) | hybrid_works(*key)
    print(f"Tink {version('tink')} (Python's call, C++)", flush=True)
    for line in sys.stdin:
        work, times = line.split()
        print(nanoseconds(works[work], int(times)), flush=True)


if __name__ == "__main__":
    main()
