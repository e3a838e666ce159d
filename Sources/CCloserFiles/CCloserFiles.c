#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CCloserFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

enum { TEMPORARY_COUNT = 6 };
static struct { int folder; char name[NAME_MAX + 1]; } temporaries[TEMPORARY_COUNT];
// Free, claimed by a thread that still writes the name, or named.
enum { FREE, CLAIMED, NAMED };
static atomic_int states[TEMPORARY_COUNT];

int closer_add_temporary(int folder, const char *name) {
    if (strlen(name) > NAME_MAX) return -1;
    for (int i = 0; i < TEMPORARY_COUNT; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&states[i], &expected, CLAIMED)) continue;
        temporaries[i].folder = folder;
        strcpy(temporaries[i].name, name);
        atomic_store(&states[i], NAMED);  // the name is whole before the handler may use it
        return i;
    }
    return -1;
}

void closer_remove_temporary(int slot) {
    if (slot >= 0) atomic_store(&states[slot], FREE);
}

void closer_unlink_temporaries(void) {
    for (int i = 0; i < TEMPORARY_COUNT; i++)
        if (atomic_load(&states[i]) == NAMED) unlinkat(temporaries[i].folder, temporaries[i].name, 0);
}

static atomic_int changes, lasting, kept, waiting;
static void (*_Atomic end)(int);

void closer_begin_change(void) { atomic_fetch_add(&changes, 1); }

bool closer_leave_change(void) { return atomic_fetch_sub(&changes, 1) == 1; }

void closer_end_if_waiting(void) {
    int signal_number = atomic_exchange(&waiting, 0);
    if (signal_number) atomic_load(&end)(signal_number);
}

void closer_begin_lasting(void) { atomic_fetch_add(&lasting, 1); }

bool closer_leave_lasting(void) {
    if (atomic_fetch_sub(&lasting, 1) > 1) return false;
    int ended = atomic_exchange(&kept, 0);
    return ended > 0 && atomic_fetch_sub(&changes, ended) == ended;
}

void closer_abandon_lasting(void) { atomic_fetch_sub(&lasting, 1); }

void closer_end_change(void) {
    if (atomic_load(&lasting) > 0) {
        atomic_fetch_add(&kept, 1);
        return;
    }
    if (closer_leave_change()) closer_end_if_waiting();
}

int closer_waits_for_change(int signal_number, void (*handler)(int)) {
    if (atomic_load(&changes) == 0) return 0;
    atomic_store(&end, handler);
    atomic_store(&waiting, signal_number);
    // The last change may have ended just now, before it could see the signal.
    return atomic_load(&changes) > 0 || atomic_exchange(&waiting, 0) == 0;
}

int closer_exchange(int folder, const char *one, const char *other) {
#if defined(__linux__)
    enum { EXCHANGE = 1 << 1 };
    return (int)syscall(SYS_renameat2, folder, one, folder, other, EXCHANGE);
#elif defined(__APPLE__)
    return renameatx_np(folder, one, folder, other, RENAME_SWAP);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int closer_rename_to_new(int folder, const char *from, const char *to) {
#if defined(__linux__)
    enum { NO_REPLACE = 1 << 0 };
    return (int)syscall(SYS_renameat2, folder, from, folder, to, NO_REPLACE);
#elif defined(__APPLE__)
    return renameatx_np(folder, from, folder, to, RENAME_EXCL);
#else
    errno = ENOSYS;
    return -1;
#endif
}

void closer_synchronize_names(int folder, int file) {
    if (fsync(folder) == 0) return;
#ifdef __linux__
    syncfs(file);
#else
    (void)file;
    sync();
#endif
}

// The optimiser may not leave this out, as it may a last memset.
static void wipe(void *bytes, size_t count) {
#if defined(__linux__) && !defined(__ANDROID__)
    explicit_bzero(bytes, count);
#else
    memset(bytes, 0, count);
    __asm__ volatile("" : : "r"(bytes) : "memory");
#endif
}

int closer_holds(int descriptor, const unsigned char *bytes, size_t count, size_t size) {
    // Threads have small stacks on some systems.
    unsigned char part[16 * 1024];
    struct stat status;
    if (fstat(descriptor, &status) != 0) return -1;
    int holds = (unsigned long long)status.st_size == size;
    size_t done = 0;
    while (holds == 1 && done < count) {
        size_t room = count - done < sizeof part ? count - done : sizeof part;
        ssize_t got = pread(descriptor, part, room, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) holds = -1;
        else if (got == 0 || memcmp(part, bytes + done, (size_t)got) != 0) holds = 0;
        else done += (size_t)got;
    }
    int error = errno;
    wipe(part, count < sizeof part ? count : sizeof part);
    errno = error;
    return holds;
}

int closer_wait_for(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return -1;
    return flags & O_NONBLOCK ? fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) : 0;
}
