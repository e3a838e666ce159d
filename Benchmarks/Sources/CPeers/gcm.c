#include "CPeers.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { key_count = 32, nonce_count = 12, tag_count = 16 };

struct peer_gcm {
    EVP_CIPHER_CTX *context;
    uint8_t *data, *plaintext, *ciphertext;
    int data_count, plaintext_count;
    uint8_t nonce[nonce_count], tag[tag_count];
};

// getrandom, not RAND_bytes: for 12 bytes it takes a fifth of the time, and a floor is wanted.
static bool fill(void *bytes, size_t count) {
#ifdef __linux__
    return getrandom(bytes, count, 0) == (ssize_t)count;
#else
    return getentropy(bytes, count) == 0;
#endif
}

peer_gcm *peer_gcm_new(size_t plaintext_count, const uint8_t *data, size_t data_count) {
    peer_gcm *gcm = calloc(1, sizeof *gcm);
    uint8_t key[key_count];
    if (!gcm || !fill(key, sizeof key)) abort();
    gcm->data = malloc(data_count + 1);
    gcm->plaintext = calloc(1, plaintext_count + 1);
    gcm->ciphertext = calloc(1, plaintext_count + 1);
    gcm->context = EVP_CIPHER_CTX_new();
    if (!gcm->data || !gcm->plaintext || !gcm->ciphertext || !gcm->context) abort();
    memcpy(gcm->data, data, data_count);
    gcm->data_count = (int)data_count;
    gcm->plaintext_count = (int)plaintext_count;
    if (EVP_EncryptInit_ex(gcm->context, EVP_aes_256_gcm(), NULL, key, NULL) != 1) abort();
    return gcm;
}

static bool seal(peer_gcm *gcm) {
    EVP_CIPHER_CTX *context = gcm->context;
    int written;
    return fill(gcm->nonce, nonce_count)
        && EVP_EncryptInit_ex(context, NULL, NULL, NULL, gcm->nonce) == 1
        && EVP_EncryptUpdate(context, NULL, &written, gcm->data, gcm->data_count) == 1
        && EVP_EncryptUpdate(context, gcm->ciphertext, &written, gcm->plaintext, gcm->plaintext_count) == 1
        && EVP_EncryptFinal_ex(context, gcm->ciphertext + written, &written) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_count, gcm->tag) == 1;
}

static bool open(peer_gcm *gcm) {
    EVP_CIPHER_CTX *context = gcm->context;
    int written;
    return EVP_DecryptInit_ex(context, NULL, NULL, NULL, gcm->nonce) == 1
        && EVP_DecryptUpdate(context, NULL, &written, gcm->data, gcm->data_count) == 1
        && EVP_DecryptUpdate(context, gcm->plaintext, &written, gcm->ciphertext, gcm->plaintext_count) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_count, gcm->tag) == 1
        && EVP_DecryptFinal_ex(context, gcm->plaintext + written, &written) == 1;
}

bool peer_gcm_seal(peer_gcm *gcm, size_t times) {
    while (times--) if (!seal(gcm)) return false;
    return true;
}

bool peer_gcm_open(peer_gcm *gcm, size_t times) {
    while (times--) if (!open(gcm)) return false;
    return true;
}

void peer_gcm_free(peer_gcm *gcm) {
    EVP_CIPHER_CTX_free(gcm->context);
    free(gcm->data);
    free(gcm->plaintext);
    free(gcm->ciphertext);
    free(gcm);
}

const char *peer_libcrypto_version(void) { return OpenSSL_version(OPENSSL_VERSION_STRING); }
