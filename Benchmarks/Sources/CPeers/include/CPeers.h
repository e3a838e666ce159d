// The bare work in C: what the same library costs when nothing stands around it.
// Loops run on this side, so that not even a call from Swift is counted.
#ifndef CPEERS_H
#define CPEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One AES-256-GCM key with its schedule, and one message.
typedef struct peer_gcm peer_gcm;

peer_gcm *peer_gcm_new(size_t plaintext_count, const uint8_t *data, size_t data_count);
/// Each time: a fresh nonce, associated data, plaintext, tag. False when a call fails.
bool peer_gcm_seal(peer_gcm *gcm, size_t times);
/// Opens what was sealed last. False when a call fails or the tag does not fit.
bool peer_gcm_open(peer_gcm *gcm, size_t times);
void peer_gcm_free(peer_gcm *gcm);

/// One scalar k and one point P on P-256.
typedef struct peer_curve peer_curve;

peer_curve *peer_curve_new(void);
/// k·G and k·P, the products that an ECIES seal needs.
bool peer_curve_seal(peer_curve *curve, size_t times);
/// k·P, the product that an ECIES open needs.
bool peer_curve_open(peer_curve *curve, size_t times);
/// The same from bytes to bytes: P is decoded, each product encoded.
bool peer_curve_whole_seal(peer_curve *curve, size_t times);
bool peer_curve_whole_open(peer_curve *curve, size_t times);
void peer_curve_free(peer_curve *curve);

/// Runs a program to its end: no input, its output in a new file. Its exit status, or -1.
int peer_spawn(char *const arguments[], const char *output);

/// Of the libcrypto that is loaded.
const char *peer_libcrypto_version(void);

#endif
