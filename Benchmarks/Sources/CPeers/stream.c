#include "CPeers.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The segments of the format, with a counter as nonce, and nothing else of it: no header, no key derivation.
enum { segment_count = 1 << 20, tag_count = 16, nonce_count = 12 };

static bool crypt_segment(EVP_CIPHER_CTX *context, bool seals, uint32_t index, uint8_t *input, int count, uint8_t *output) {
    uint8_t nonce[nonce_count] = {0};
    memcpy(nonce, &index, sizeof index);
    int written;
    if (EVP_CipherInit_ex(context, NULL, NULL, NULL, nonce, seals) != 1) return false;
    if (EVP_CipherUpdate(context, output, &written, input, count) != 1) return false;
    if (!seals && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_count, input + count) != 1) return false;
    if (EVP_CipherFinal_ex(context, output + count, &written) != 1) return false;
    return !seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_count, output + count) == 1;
}

static bool crypt_file(EVP_CIPHER_CTX *context, bool seals, int source, int target) {
    static uint8_t input[segment_count], output[segment_count];
    ssize_t count;
    for (uint32_t index = 0; (count = read(source, input, seals ? segment_count - tag_count : segment_count)) > 0; index++) {
        int text_count = (int)count - (seals ? 0 : tag_count);
        ssize_t written_count = text_count + (seals ? tag_count : 0);
        if (text_count < 0 || !crypt_segment(context, seals, index, input, text_count, output)) return false;
        if (write(target, output, written_count) != written_count) return false;
    }
    return count == 0 && fsync(target) == 0;
}

bool peer_stream(bool seals, const char *from, const char *to) {
    static const uint8_t key[32] = {7};
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int source = open(from, O_RDONLY), target = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bool is_done = context && source >= 0 && target >= 0
        && EVP_CipherInit_ex(context, EVP_aes_256_gcm(), NULL, key, NULL, seals) == 1
        && crypt_file(context, seals, source, target);
    EVP_CIPHER_CTX_free(context);
    if (source >= 0) close(source);
    return (target < 0 || close(target) == 0) && is_done;
}
