#include "CPeers.h"

#include <argon2.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

// The costs of v1. Other ones would not open the wrap that the key is tried on.
enum { memory_kib = 46080, passes = 3, lanes = 1 };
enum { salt_count = 16, key_count = 32 };

struct peer_derivation {
    char *password;
    size_t password_count;
    uint8_t salt[salt_count], key[key_count];
};

peer_derivation *peer_derivation_new(const uint8_t *password, size_t password_count, const uint8_t *salt) {
    peer_derivation *derivation = calloc(1, sizeof *derivation);
    // sodium_init picks the fastest Argon2 that this processor can run.
    if (!derivation || sodium_init() < 0) abort();
    derivation->password = malloc(password_count + 1);
    if (!derivation->password) abort();
    memcpy(derivation->password, password, password_count);
    derivation->password_count = password_count;
    memcpy(derivation->salt, salt, salt_count);
    return derivation;
}

static bool by_sodium(peer_derivation *d) {
    return crypto_pwhash(d->key, key_count, d->password, d->password_count, d->salt, passes,
               (size_t)memory_kib * 1024, crypto_pwhash_ALG_ARGON2ID13) == 0;
}

static bool by_reference(peer_derivation *d) {
    return argon2id_hash_raw(passes, memory_kib, lanes, d->password, d->password_count, d->salt, salt_count,
               d->key, key_count) == ARGON2_OK;
}

bool peer_derivation_sodium(peer_derivation *derivation, size_t times) {
    while (times--) if (!by_sodium(derivation)) return false;
    return true;
}

bool peer_derivation_reference(peer_derivation *derivation, size_t times) {
    while (times--) if (!by_reference(derivation)) return false;
    return true;
}

const uint8_t *peer_derivation_key(const peer_derivation *derivation) { return derivation->key; }

void peer_derivation_free(peer_derivation *derivation) {
    free(derivation->password);
    free(derivation);
}

const char *peer_libsodium_version(void) { return sodium_version_string(); }
