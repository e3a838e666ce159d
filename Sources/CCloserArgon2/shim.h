// libargon2, the reference: Argon2id with more than one lane, a secret or associated data,
// and the cross-check of libsodium's. Nothing is added or renamed.
#include <argon2.h>
