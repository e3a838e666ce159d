#include "CCloserSystem.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#else
#include <sys/ptrace.h>
#include <sys/types.h>
#endif

bool closer_deny_dumps(void) {
    const struct rlimit none = {0, 0};
    bool limited = setrlimit(RLIMIT_CORE, &none) == 0;
#ifdef __linux__
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && limited;
#else
    return ptrace(PT_DENY_ATTACH, 0, 0, 0) == 0 && limited;
#endif
}

// A handler may only call what is async-signal-safe: unlink and _exit are.
static char temporary[PATH_MAX];
static volatile sig_atomic_t has_temporary = 0;

static void end_by_signal(int signal_number) {
    if (has_temporary) unlink(temporary);
    _exit(128 + signal_number);
}

void closer_set_temporary(const char *path) {
    has_temporary = 0;
    if (path == NULL || strlen(path) >= sizeof temporary) return;
    strcpy(temporary, path);
    atomic_signal_fence(memory_order_release);  // the path is whole before the handler may use it
    has_temporary = 1;
}

void closer_install_signals(void) {
    struct sigaction action = {.sa_handler = end_by_signal};
    sigemptyset(&action.sa_mask);
    const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        // Whoever started us with a signal ignored (nohup) keeps it ignored.
        struct sigaction before;
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(ending[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    // A parent may have blocked them: threads of worker pools do, and their children inherit it.
    sigset_t unblocked;
    sigemptyset(&unblocked);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) sigaddset(&unblocked, ending[i]);
    sigprocmask(SIG_UNBLOCK, &unblocked, NULL);
}
