#include "CCloserFiles.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { TEMPORARY_COUNT = 4 };
static char temporaries[TEMPORARY_COUNT][PATH_MAX];
static volatile sig_atomic_t is_temporary[TEMPORARY_COUNT];

int closer_add_temporary(const char *path) {
    if (strlen(path) >= PATH_MAX) return -1;
    for (int i = 0; i < TEMPORARY_COUNT; i++) {
        if (is_temporary[i]) continue;
        strcpy(temporaries[i], path);
        atomic_signal_fence(memory_order_release);  // the path is whole before the handler may use it
        is_temporary[i] = 1;
        return i;
    }
    return -1;
}

void closer_remove_temporary(int slot) {
    if (slot >= 0) is_temporary[slot] = 0;
}

void closer_unlink_temporaries(void) {
    for (int i = 0; i < TEMPORARY_COUNT; i++)
        if (is_temporary[i]) unlink(temporaries[i]);
}
