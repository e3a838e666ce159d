#include "CPeers.h"

#include <sodium.h>
#include <stdlib.h>

struct peer_pairing {
    uint8_t hash[crypto_core_ristretto255_HASHBYTES];
    uint8_t scalar[crypto_core_ristretto255_SCALARBYTES];
    uint8_t theirs[crypto_core_ristretto255_BYTES];
};

peer_pairing *peer_pairing_new(void) {
    peer_pairing *pairing = calloc(1, sizeof *pairing);
    if (!pairing || sodium_init() < 0) abort();
    randombytes_buf(pairing->hash, sizeof pairing->hash);
    crypto_core_ristretto255_scalar_random(pairing->scalar);
    crypto_core_ristretto255_random(pairing->theirs);
    return pairing;
}

// K, which both sides need.
static bool agree(const peer_pairing *pairing) {
    uint8_t shared[crypto_core_ristretto255_BYTES];
    bool is_done = crypto_scalarmult_ristretto255(shared, pairing->scalar, pairing->theirs) == 0;
    sodium_memzero(shared, sizeof shared);
    return is_done;
}

bool peer_pairing_answer(const peer_pairing *pairing, size_t times) {
    uint8_t generator[crypto_core_ristretto255_BYTES], ours[crypto_core_ristretto255_BYTES];
    while (times--) {
        if (crypto_core_ristretto255_from_hash(generator, pairing->hash) != 0) return false;
        if (crypto_scalarmult_ristretto255(ours, pairing->scalar, generator) != 0) return false;
        if (!agree(pairing)) return false;
    }
    sodium_memzero(generator, sizeof generator);
    return true;
}

bool peer_pairing_judge(const peer_pairing *pairing, size_t times) {
    while (times--) if (!agree(pairing)) return false;
    return true;
}

void peer_pairing_free(peer_pairing *pairing) {
    sodium_memzero(pairing, sizeof *pairing);
    free(pairing);
}
