#include "CCloserSystem.h"

#include <errno.h>

#ifdef __linux__
#include <linux/keyctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// View, read, search and link, for whoever has it in a keyring of theirs; of the user's keyring that is not every login of the user.
// Nobody, its owner included, may prolong its time or write another secret over it.
enum { OF_LOGIN = 0x1B000000, OF_USER = 0x1B1B0000, MAY_SET = 0x20000000 };

// By its number: under its special name, whoever writes to the keyring of a process that no login has given one gets a new one, which
// ends with the process. Negative if there is none; such a number would name another special one.
static long keyring(bool for_user) {
    const int name = for_user ? KEY_SPEC_USER_KEYRING : KEY_SPEC_SESSION_KEYRING;
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, name, 0);
}

static long set_rights(long key, unsigned rights) { return syscall(SYS_keyctl, KEYCTL_SETPERM, key, rights); }

static long set_time(long key, unsigned seconds) { return syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds); }

int closer_keyring_add(bool for_user, const char *name, struct closer_secret secret, unsigned seconds, int32_t *added) {
    long ring = keyring(for_user);
    if (ring < 0) return errno;
    // Complete before anybody finds it: it has its time and its rights before it is linked.
    long key = syscall(SYS_add_key, "user", name, secret.bytes, secret.count, KEY_SPEC_PROCESS_KEYRING);
    if (key < 0) return errno;
    int failure = 0;
    if (set_time(key, seconds) < 0 || set_rights(key, (for_user ? OF_USER : OF_LOGIN) | MAY_SET) < 0
        || syscall(SYS_keyctl, KEYCTL_LINK, key, ring) < 0)
        failure = errno;
    syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING);
    *added = (int32_t)key;
    return failure;
}

int closer_keyring_settle(bool for_user, int32_t key, unsigned seconds) {
    return set_time(key, seconds) < 0 || set_rights(key, for_user ? OF_USER : OF_LOGIN) < 0 ? errno : 0;
}

int closer_keyring_remove(int32_t key) { return syscall(SYS_keyctl, KEYCTL_INVALIDATE, (long)key) < 0 ? errno : 0; }

// Whether it is a secret of ours, and its time is not over: "user;uid;gid;rights;name". What another user puts there is none.
static bool is_ours(int32_t key, const char *name, bool is_prefix) {
    char text[256];
    long count = syscall(SYS_keyctl, KEYCTL_DESCRIBE, (long)key, text, sizeof text);
    unsigned owner;
    int start = 0;
    if (count <= 0 || count > (long)sizeof text) return false;
    if (sscanf(text, "user;%u;%*u;%*x;%n", &owner, &start) != 1 || start == 0 || owner != geteuid()) return false;
    if (is_prefix ? strncmp(text + start, name, strlen(name)) : strcmp(text + start, name)) return false;
    return syscall(SYS_keyctl, KEYCTL_READ, (long)key, NULL, 0) >= 0;
}

int closer_keyring_list(bool for_user, const char *name, bool is_prefix, int32_t *keys, size_t room, size_t *count) {
    *count = 0;
    long ring = keyring(for_user);
    if (ring < 0) return errno;
    int32_t *all = NULL;
    long size = 0, needed = 4096;
    do {
        free(all);
        size = needed;
        if (!(all = malloc((size_t)size))) return ENOMEM;
        needed = syscall(SYS_keyctl, KEYCTL_READ, ring, all, size);
    } while (needed > size);
    int failure = needed < 0 ? errno : 0;
    for (long index = 0; index < needed / 4 && *count < room; index++)
        if (is_ours(all[index], name, is_prefix)) keys[(*count)++] = all[index];
    free(all);
    return failure;
}

bool closer_keyring_read(int32_t key, void *bytes, size_t count) {
    return syscall(SYS_keyctl, KEYCTL_READ, (long)key, bytes, count) == (long)count;
}

#else

int closer_keyring_add(bool for_user, const char *name, struct closer_secret secret, unsigned seconds, int32_t *added) {
    (void)for_user, (void)name, (void)secret, (void)seconds, (void)added;
    return ENOSYS;
}

int closer_keyring_settle(bool for_user, int32_t key, unsigned seconds) {
    (void)for_user, (void)key, (void)seconds;
    return ENOSYS;
}

int closer_keyring_remove(int32_t key) {
    (void)key;
    return ENOSYS;
}

int closer_keyring_list(bool for_user, const char *name, bool is_prefix, int32_t *keys, size_t room, size_t *count) {
    (void)for_user, (void)name, (void)is_prefix, (void)keys, (void)room;
    *count = 0;
    return ENOSYS;
}

bool closer_keyring_read(int32_t key, void *bytes, size_t count) {
    (void)key, (void)bytes, (void)count;
    return false;
}
#endif
