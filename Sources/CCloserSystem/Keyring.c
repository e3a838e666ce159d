#include "CCloserSystem.h"

#include <errno.h>

#ifdef __linux__
#include <linux/keyctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// View, read, search and link, for a process that has it in a keyring of its own. Its owner cannot prolong its time, nor write another
// secret over it.
enum { RIGHTS = 0x1B000000 };

// The login's keyring by its number: under its special name, a process that no login has given one gets a new one, which ends with the
// process. Negative if there is none; such a number would name another special one.
static long keyring(void) { return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0); }

int closer_keyring_add(const char *name, struct closer_secret secret, unsigned seconds) {
    long ring = keyring();
    if (ring < 0) return errno;
    // Complete before another process finds it: it has its time and its rights before it is linked.
    long key = syscall(SYS_add_key, "user", name, secret.bytes, secret.count, KEY_SPEC_PROCESS_KEYRING);
    if (key < 0) return errno;
    int failure = 0;
    if (syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) < 0 || syscall(SYS_keyctl, KEYCTL_SETPERM, key, RIGHTS) < 0
        || syscall(SYS_keyctl, KEYCTL_LINK, key, ring) < 0)
        failure = errno;
    syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING);
    return failure;
}

int closer_keyring_remove(int32_t key) { return syscall(SYS_keyctl, KEYCTL_INVALIDATE, (long)key) < 0 ? errno : 0; }

// Whether it is a secret of ours, and its time is not over: "user;uid;gid;rights;name". What another user puts there is none.
static bool is_ours(int32_t key, const char *prefix) {
    char text[256];
    long count = syscall(SYS_keyctl, KEYCTL_DESCRIBE, (long)key, text, sizeof text);
    unsigned owner;
    int start = 0;
    if (count <= 0 || count > (long)sizeof text) return false;
    if (sscanf(text, "user;%u;%*u;%*x;%n", &owner, &start) != 1 || start == 0 || owner != geteuid()) return false;
    if (strncmp(text + start, prefix, strlen(prefix))) return false;
    return syscall(SYS_keyctl, KEYCTL_READ, (long)key, NULL, 0) >= 0;
}

int closer_keyring_list(const char *prefix, int32_t *keys, size_t room, size_t *count) {
    *count = 0;
    long ring = keyring();
    if (ring < 0) return errno;
    // Four times as many as a user can have by the kernel's usual limit.
    int32_t all[800];
    long bytes = syscall(SYS_keyctl, KEYCTL_READ, ring, all, sizeof all);
    if (bytes < 0) return errno;
    if (bytes > (long)sizeof all) return EOVERFLOW;
    for (long index = 0; index < bytes / 4 && *count < room; index++)
        if (is_ours(all[index], prefix)) keys[(*count)++] = all[index];
    return 0;
}

bool closer_keyring_read(int32_t key, void *bytes, size_t count) {
    return syscall(SYS_keyctl, KEYCTL_READ, (long)key, bytes, count) == (long)count;
}

#else

int closer_keyring_add(const char *name, struct closer_secret secret, unsigned seconds) {
    (void)name, (void)secret, (void)seconds;
    return ENOSYS;
}

int closer_keyring_remove(int32_t key) {
    (void)key;
    return ENOSYS;
}

int closer_keyring_list(const char *prefix, int32_t *keys, size_t room, size_t *count) {
    (void)prefix, (void)keys, (void)room;
    *count = 0;
    return ENOSYS;
}

bool closer_keyring_read(int32_t key, void *bytes, size_t count) {
    (void)key, (void)bytes, (void)count;
    return false;
}
#endif
