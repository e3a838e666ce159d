"""How long Tink takes: µs per operation as JSON, for the table of `bench --python PATH`.

usage: tink_peer.py FIELD KEY      each is BYTE_COUNT:ASSOCIATED_DATA
needs: pip install tink
"""

import json
import statistics
import sys
import time

import tink
from tink import aead, hybrid

BATCH_COUNT = 30
BATCH_SECONDS = 0.005


def seconds(work, times):
    start = time.perf_counter()
    for _ in range(times):
        work()
    return time.perf_counter() - start


def times_per_batch(work):
    """How often the work fits into a batch. To find out is the warm-up too."""
    times = 1
    while seconds(work, times) < BATCH_SECONDS:
        times *= 2
    return times


def race(contestants):
    """One batch each in turn, as in Race.swift."""
    times = {name: times_per_batch(work) for name, work in contestants.items()}
    batches = {name: [] for name in contestants}
    for _ in range(BATCH_COUNT):
        for name, work in contestants.items():
            batches[name].append(seconds(work, times[name]) / times[name] * 1e6)
    return {
        name: {"median": statistics.median(taken), "best": min(taken)}
        for name, taken in batches.items()
    }


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
        "hybridSeal": lambda: theirs.encrypt(plaintext, context),
        "hybridOpen": lambda: ours.decrypt(sealed, context),
    }


def message(argument):
    count, tied_to = argument.split(":", 1)
    return bytes(int(count)), tied_to.encode()


def main():
    aead.register()
    hybrid.register()
    field, key = (message(argument) for argument in sys.argv[1:3])
    json.dump(race(aead_works(*field) | hybrid_works(*key)), sys.stdout)


if __name__ == "__main__":
    main()
