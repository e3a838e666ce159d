// What Swift cannot call or must not do by itself: macros of the operating system, and signal handlers.
#ifndef CCLOSERSYSTEM_H
#define CCLOSERSYSTEM_H

#include <stdbool.h>

// No core dump, and no ptrace or /proc/self/mem for other processes of the same user. True when both hold.
bool closer_deny_dumps(void);

// Makes a write to a closed pipe or beyond a size limit an error instead of a signal, and makes every signal that
// ends a process do so with 128 + signal after the temporary file below is gone.
void closer_install_signals(void);

// The file that an interrupt removes: at most one, at most PATH_MAX bytes. NULL: none.
void closer_set_temporary(const char *path);

#endif
