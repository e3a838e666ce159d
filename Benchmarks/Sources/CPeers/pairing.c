#include "CPeers.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

// About as many bytes as a couple's documents give: a generator string, what is hashed to the session key and to the transcript,
// and the info and the message of the keys (closer-keys-pairing(7), KEYS).
enum { generator_count = 232, session_count = 660, transcript_count = 710, info_count = 45, proven_count = 40 };

enum { key_count = crypto_auth_hmacsha256_BYTES };

struct peer_pairing {
    uint8_t scalar[crypto_core_ristretto255_SCALARBYTES];
    uint8_t theirs[crypto_core_ristretto255_BYTES];
    uint8_t said[transcript_count];
};

peer_pairing *peer_pairing_new(void) {
    peer_pairing *pairing = calloc(1, sizeof *pairing);
    if (!pairing || sodium_init() < 0) abort();
    crypto_core_ristretto255_scalar_random(pairing->scalar);
    crypto_core_ristretto255_random(pairing->theirs);
    randombytes_buf(pairing->said, sizeof pairing->said);
    return pairing;
}

static void hmac(uint8_t *tag, const uint8_t *key, size_t key_size, const uint8_t *message, size_t count) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, key_size);
    crypto_auth_hmacsha256_update(&state, message, count);
    crypto_auth_hmacsha256_final(&state, tag);
}

// K, which both sides need.
static bool agree(uint8_t *shared, const peer_pairing *pairing, const uint8_t *scalar) {
    return crypto_scalarmult_ristretto255(shared, scalar, pairing->theirs) == 0;
}

// The session key, the transcript, the three keys that every pairing derives, and a proof. RFC 5869: one HMAC to extract, one for
// each key.
static void prove(const peer_pairing *pairing, uint8_t *shared) {
    uint8_t session[crypto_hash_sha512_BYTES], digest[crypto_hash_sha256_BYTES], extracted[key_count], keys[3][key_count];
    uint8_t input[session_count], tag[key_count];
    memcpy(input, pairing->said, sizeof input);
    memcpy(input, shared, crypto_core_ristretto255_BYTES);
    crypto_hash_sha512(session, input, sizeof input);
    crypto_hash_sha256(digest, pairing->said, transcript_count);
    hmac(extracted, digest, sizeof digest, session, sizeof session);
    for (int key = 0; key < 3; key++) hmac(keys[key], extracted, sizeof extracted, pairing->said, info_count + 1);
    hmac(tag, keys[0], key_count, pairing->said, proven_count);
    sodium_memzero(shared, crypto_core_ristretto255_BYTES);
    sodium_memzero(input, sizeof input);
    sodium_memzero(session, sizeof session);
    sodium_memzero(extracted, sizeof extracted);
    sodium_memzero(keys, sizeof keys);
}

static bool answer_elements(const peer_pairing *pairing, const uint8_t *hash, uint8_t *shared) {
    uint8_t scalar[crypto_core_ristretto255_SCALARBYTES];
    uint8_t generator[crypto_core_ristretto255_BYTES], ours[crypto_core_ristretto255_BYTES];
    crypto_core_ristretto255_scalar_random(scalar);
    bool is_done = crypto_core_ristretto255_from_hash(generator, hash) == 0
        && crypto_scalarmult_ristretto255(ours, scalar, generator) == 0 && agree(shared, pairing, scalar);
    sodium_memzero(scalar, sizeof scalar);
    sodium_memzero(generator, sizeof generator);
    return is_done;
}

bool peer_pairing_answer(const peer_pairing *pairing, size_t times) {
    uint8_t hash[crypto_hash_sha512_BYTES], shared[crypto_core_ristretto255_BYTES];
    while (times--) {
        crypto_hash_sha512(hash, pairing->said, generator_count);
        if (!answer_elements(pairing, hash, shared)) return false;
        prove(pairing, shared);
    }
    return true;
}

bool peer_pairing_answer_elements(const peer_pairing *pairing, size_t times) {
    uint8_t shared[crypto_core_ristretto255_BYTES];
    while (times--) if (!answer_elements(pairing, pairing->said, shared)) return false;
    return true;
}

bool peer_pairing_judge(const peer_pairing *pairing, size_t times) {
    uint8_t shared[crypto_core_ristretto255_BYTES];
    while (times--) {
        if (!agree(shared, pairing, pairing->scalar)) return false;
        prove(pairing, shared);
    }
    return true;
}

bool peer_pairing_judge_elements(const peer_pairing *pairing, size_t times) {
    uint8_t shared[crypto_core_ristretto255_BYTES];
    while (times--) if (!agree(shared, pairing, pairing->scalar)) return false;
    return true;
}

void peer_pairing_free(peer_pairing *pairing) {
    sodium_memzero(pairing, sizeof *pairing);
    free(pairing);
}
