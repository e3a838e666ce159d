// libargon2, the reference, for the bare peers. They include it themselves; this only finds and links it.
#include <argon2.h>
