#include "CCloserSystem.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <termios.h>
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

// A handler may only call what is async-signal-safe: unlink, tcsetattr and _exit are.
enum { TEMPORARY_COUNT = 4 };
static char temporaries[TEMPORARY_COUNT][PATH_MAX];
static volatile sig_atomic_t is_temporary[TEMPORARY_COUNT];

static int hidden_terminal;
static struct termios shown_settings;
static volatile sig_atomic_t is_hidden = 0;

static void end_by_signal(int signal_number) {
    for (int i = 0; i < TEMPORARY_COUNT; i++)
        if (is_temporary[i]) unlink(temporaries[i]);
    if (is_hidden) tcsetattr(hidden_terminal, TCSANOW, &shown_settings);
    _exit(128 + signal_number);
}

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

bool closer_hide_input(int terminal) {
    if (tcgetattr(terminal, &shown_settings) != 0) return false;
    hidden_terminal = terminal;
    atomic_signal_fence(memory_order_release);
    is_hidden = 1;
    struct termios hidden = shown_settings;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    hidden.c_lflag |= ICANON | ISIG;
    // What was typed ahead was typed for something else.
    return tcsetattr(terminal, TCSAFLUSH, &hidden) == 0;
}

void closer_show_input(void) {
    if (!is_hidden) return;
    tcsetattr(hidden_terminal, TCSANOW, &shown_settings);
    is_hidden = 0;
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
