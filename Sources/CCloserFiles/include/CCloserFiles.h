// What C alone can do with files, and what a signal handler must know of them.
#ifndef CCLOSERFILES_H
#define CCLOSERFILES_H

// What CloserFiles calls of the C library: whoever imports this header has it, whichever C library the system has.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Functions that Swift imports under no name, or under one that a method of Descriptor hides.
static inline int closer_errno(void) { return errno; }
static inline void closer_clear_errno(void) { errno = 0; }
static inline int closer_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline ssize_t closer_read(int file, void *target, size_t count) { return read(file, target, count); }
static inline ssize_t closer_write(int file, const void *source, size_t count) { return write(file, source, count); }

// When a file was last changed, its name and its mode included.
static inline struct timespec closer_change_time(const struct stat *status) {
#ifdef __APPLE__
    return status->st_ctimespec;
#else
    return status->st_ctim;
#endif
}

// Notes the path of a temporary file, which an interrupt removes. Gives the slot, or -1 when six are noted already or the path is
// too long.
int closer_add_temporary(const char *path);
void closer_remove_temporary(int slot);

// Removes the noted files. Async-signal-safe.
void closer_unlink_temporaries(void);

// Renames a file, unless the new name is taken: then EEXIST. -1 and errno if it fails.
int closer_rename_to_new(const char *from, const char *to);

// Whether a file whose mode lets its group read lets others than its owner, root and us: with an access list, the bits of the group in
// the mode are the list's mask.
bool closer_is_read_by_group(int file);

// Waits until the names in a folder are on the disk. A folder that cannot be opened for reading cannot be waited for: then the
// whole file system of an open file in it is synced.
void closer_synchronize_folder(const char *folder, int file);

// Whether one of those waits ended with an input/output error: a file has its new name, and may lose it when the power fails.
bool closer_has_failed_flush(void);

#endif
