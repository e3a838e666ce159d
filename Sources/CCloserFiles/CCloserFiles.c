#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CCloserFiles.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <sys/xattr.h>
#endif

enum { TEMPORARY_COUNT = 6 };
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

// A hard link refuses to replace a file, too; some file systems have neither.
static int link_to_new(const char *from, const char *to) {
    if (link(from, to) == 0) return unlink(from);
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return -1;
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

int closer_rename_to_new(const char *from, const char *to) {
#if defined(__linux__)
    enum { NO_REPLACE = 1 << 0 };
    int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NO_REPLACE);
#elif defined(__APPLE__)
    int result = renamex_np(from, to, RENAME_EXCL);
#else
    int result = (errno = ENOSYS, -1);
#endif
    bool is_unknown = result != 0 && (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EPERM);
    return is_unknown ? link_to_new(from, to) : result;
}

bool closer_is_read_by_group(int file) {
#ifdef __linux__
    // linux/posix_acl_xattr.h, little-endian: a version of four bytes; then tag 2, permissions 2 and id 4 of each entry.
    enum { USER = 0x02, GROUP_OF_FILE = 0x04, GROUP = 0x08, READ = 4, MOST = 64 };
    unsigned char list[4 + 8 * MOST];
    ssize_t count = fgetxattr(file, "system.posix_acl_access", list, sizeof list);
    for (ssize_t at = 4; at + 8 <= count; at += 8) {
        unsigned char tag = list[at], *id = list + at + 4;
        uint32_t user = id[0] | (uint32_t)id[1] << 8 | (uint32_t)id[2] << 16 | (uint32_t)id[3] << 24;
        bool is_other = tag == GROUP_OF_FILE || tag == GROUP || (tag == USER && user != 0 && user != geteuid());
        if (is_other && (list[at + 2] & READ)) return true;
    }
    if (count > 0) return false;
#endif
    (void)file;
    return true;
}

static atomic_bool has_failed_flush;

bool closer_has_failed_flush(void) { return atomic_load(&has_failed_flush); }

void closer_synchronize_folder(const char *folder, int file) {
    int number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = number < 0 || fsync(number) != 0 ? errno : 0;
    if (number >= 0) close(number);
#ifdef __linux__
    if (error != 0 && error != EIO) error = syncfs(file) == 0 ? 0 : errno;
#else
    (void)file;
    if (error != 0 && error != EIO) sync();
#endif
    if (error == EIO) atomic_store(&has_failed_flush, true);
}
