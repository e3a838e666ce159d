// libsodium: guarded memory, randomness, X25519, ristretto255, constant-time compare and base64, Argon2id (p = 1).
// Nothing is added or renamed: the names in Swift are the library's own.
#include <sodium.h>
