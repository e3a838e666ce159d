#include "CCloserSystem.h"

#include <errno.h>

#ifdef __linux__
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char type[] = "user";

// By its number: under its special name, whoever writes to the keyring of a process that no login has given one gets a new one, which
// ends with the process. Negative if there is none; such a number would name another special one.
static long keyring(bool for_user) {
    const int name = for_user ? KEY_SPEC_USER_KEYRING : KEY_SPEC_SESSION_KEYRING;
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, name, 0);
}

static long search(bool for_user, const char *name) {
    long ring = keyring(for_user);
    return ring < 0 ? -1 : syscall(SYS_keyctl, KEYCTL_SEARCH, ring, type, name, 0);
}

// Complete before anybody finds it: it expires and has its rights before it is linked.
int closer_keyring_add(bool for_user, const char *name, const void *bytes, size_t count, unsigned seconds) {
    // All for whoever has it in a keyring of theirs; of the user's keyring that is not every login of the user.
    const unsigned rights = for_user ? 0x3F3F0000 : 0x3F000000;
    long ring = keyring(for_user);
    if (ring < 0) return errno;
    long key = syscall(SYS_add_key, type, name, bytes, count, KEY_SPEC_PROCESS_KEYRING);
    if (key < 0) return errno;
    int failure = 0;
    if (syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) < 0 || syscall(SYS_keyctl, KEYCTL_SETPERM, key, rights) < 0
        || syscall(SYS_keyctl, KEYCTL_LINK, key, ring) < 0)
        failure = errno;
    syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING);
    return failure;
}

bool closer_keyring_read(bool for_user, const char *name, void *bytes, size_t count) {
    long key = search(for_user, name);
    return key >= 0 && syscall(SYS_keyctl, KEYCTL_READ, key, bytes, count) == (long)count;
}

void closer_keyring_remove(bool for_user, const char *name) {
    long key;
    while ((key = search(for_user, name)) >= 0 && syscall(SYS_keyctl, KEYCTL_INVALIDATE, key) == 0) continue;
}

#else

int closer_keyring_add(bool for_user, const char *name, const void *bytes, size_t count, unsigned seconds) {
    (void)for_user, (void)name, (void)bytes, (void)count, (void)seconds;
    return ENOSYS;
}

bool closer_keyring_read(bool for_user, const char *name, void *bytes, size_t count) {
    (void)for_user, (void)name, (void)bytes, (void)count;
    return false;
}

void closer_keyring_remove(bool for_user, const char *name) { (void)for_user, (void)name; }
#endif
