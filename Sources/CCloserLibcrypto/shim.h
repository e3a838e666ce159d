// OpenSSL 3's libcrypto: AES-GCM, P-256, HKDF, HMAC, SHA-2. Only these headers are used;
// a new one here is a new dependency. Nothing is added or renamed.
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
