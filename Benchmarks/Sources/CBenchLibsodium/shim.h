// libsodium for the bare peers. They include it themselves; this only finds and links it.
#include <sodium.h>
