// OpenSSL 3's libcrypto for the bare peers. They include it themselves; this only finds and links it.
#include <openssl/crypto.h>
