#include "CPeers.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { key_count = crypto_scalarmult_BYTES, most_count = 64 };

struct peer_agreement {
    uint8_t scalar[key_count], theirs[key_count], key[key_count];
    uint8_t salt[most_count], info[most_count + 1];
    size_t salt_count, info_count;
};

peer_agreement *peer_agreement_new(const uint8_t *scalar, const uint8_t *theirs, const char *salt, const char *info) {
    peer_agreement *agreement = calloc(1, sizeof *agreement);
    if (!agreement || sodium_init() < 0) abort();
    agreement->salt_count = strlen(salt);
    agreement->info_count = strlen(info);
    if (agreement->salt_count > most_count || agreement->info_count > most_count) abort();
    memcpy(agreement->scalar, scalar, key_count);
    memcpy(agreement->theirs, theirs, key_count);
    memcpy(agreement->salt, salt, agreement->salt_count);
    memcpy(agreement->info, info, agreement->info_count);
    agreement->info[agreement->info_count++] = 1; // the counter of the first and only block
    return agreement;
}

static void hmac(uint8_t *tag, const uint8_t *key, size_t key_size, const uint8_t *message, size_t count) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, key_size);
    crypto_auth_hmacsha256_update(&state, message, count);
    crypto_auth_hmacsha256_final(&state, tag);
}

// RFC 5869: extract is one HMAC, and expand to 32 bytes another.
static bool agree(peer_agreement *a) {
    uint8_t secret[key_count], extracted[key_count];
    if (crypto_scalarmult(secret, a->scalar, a->theirs) != 0) return false;
    hmac(extracted, a->salt, a->salt_count, secret, key_count);
    hmac(a->key, extracted, key_count, a->info, a->info_count);
    sodium_memzero(secret, key_count);
    sodium_memzero(extracted, key_count);
    return true;
}

bool peer_agreement_derive(peer_agreement *agreement, size_t times) {
    while (times--) if (!agree(agreement)) return false;
    return true;
}

const uint8_t *peer_agreement_key(const peer_agreement *agreement) { return agreement->key; }

void peer_agreement_free(peer_agreement *agreement) {
    sodium_memzero(agreement, sizeof *agreement);
    free(agreement);
}
