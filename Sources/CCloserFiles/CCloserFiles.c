#include "CCloserFiles.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { TEMPORARY_COUNT = 4 };
static char temporaries[TEMPORARY_COUNT][PATH_MAX];
// Free, claimed by a thread that still writes the path, or named.
enum { FREE, CLAIMED, NAMED };
static atomic_int states[TEMPORARY_COUNT];

int closer_add_temporary(const char *path) {
    if (strlen(path) >= PATH_MAX) return -1;
    for (int i = 0; i < TEMPORARY_COUNT; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&states[i], &expected, CLAIMED)) continue;
        strcpy(temporaries[i], path);
        atomic_store(&states[i], NAMED);  // the path is whole before the handler may use it
        return i;
    }
    return -1;
}

void closer_remove_temporary(int slot) {
    if (slot >= 0) atomic_store(&states[slot], FREE);
}

void closer_unlink_temporaries(void) {
    for (int i = 0; i < TEMPORARY_COUNT; i++)
        if (atomic_load(&states[i]) == NAMED) unlink(temporaries[i]);
}

int closer_wait_for(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return -1;
    return flags & O_NONBLOCK ? fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) : 0;
}
