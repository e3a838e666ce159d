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

/// One password, one salt of 16 bytes, and the key that Argon2id makes of them at the costs of v1.
typedef struct peer_derivation peer_derivation;

peer_derivation *peer_derivation_new(const uint8_t *password, size_t password_count, const uint8_t *salt);
/// libsodium's crypto_pwhash. False when there is no memory.
bool peer_derivation_sodium(peer_derivation *derivation, size_t times);
/// libargon2's argon2id_hash_raw.
bool peer_derivation_reference(peer_derivation *derivation, size_t times);
/// The 32 bytes derived last.
const uint8_t *peer_derivation_key(const peer_derivation *derivation);
void peer_derivation_free(peer_derivation *derivation);

/// One X25519 key pair, and the public key, salt and info of an agreement; texts of at most 64 bytes.
typedef struct peer_agreement peer_agreement;

peer_agreement *peer_agreement_new(
    const uint8_t *scalar, const uint8_t *theirs, const char *salt, const char *info);
/// libsodium's crypto_scalarmult and HKDF of its HMAC-SHA-256. False for a point of low order.
bool peer_agreement_derive(peer_agreement *agreement, size_t times);
/// The 32 bytes derived last.
const uint8_t *peer_agreement_key(const peer_agreement *agreement);
void peer_agreement_free(peer_agreement *agreement);

/// Writes the first 4 KiB of a file and has them on the disk. False when a call fails.
bool peer_write_synced(const char *path, size_t times);

/// Reads a file, seals or opens segments of 1 MiB, writes another and has it on the disk. False when a call or a tag fails.
bool peer_stream(bool seals, const char *from, const char *to);

/// Runs a program to its end: no input, its output in a new file, its warnings nowhere. Its exit status, or -1.
int peer_spawn(char *const arguments[], const char *output);
/// Runs it as a small process starts it, without input and output, and says how many bytes it had at most; -1 unless it ended well.
int64_t peer_peak(char *const arguments[]);

/// Gives back what malloc keeps, and forgets how large this process was. The bytes it has now, or -1 where no system tells.
int64_t peer_memory_reset(void);
/// The most bytes that it had since. -1 where no system tells.
int64_t peer_memory_peak(void);

/// Another process that answers lines with lines.
typedef struct peer_server peer_server;

/// Starts it. Null when it does not start.
peer_server *peer_server_new(char *const arguments[]);
/// Sends a line. False when nobody reads it.
bool peer_server_ask(peer_server *server, const char *line);
/// Waits for the next line, which stays until the one after; empty if there is none.
const char *peer_server_line(peer_server *server);
/// Ends its input, and waits for its end.
void peer_server_free(peer_server *server);

/// Stays on one processor, with all that are started from now on.
void peer_share_one_processor(void);
/// May use all again.
void peer_use_all_processors(void);

/// Of the libraries that are loaded; libargon2 does not say.
const char *peer_libcrypto_version(void);
const char *peer_libsodium_version(void);

#endif
