#include "Exit.h"

#include "CCloserFiles.h"
#include "CCloserSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void clean_up(void) {
    closer_unlink_temporaries();
    closer_give_terminal_back();
    closer_kill_running_program();
}

void closer_end(int code) {
    clean_up();
    _exit(code);
}

static void say(int descriptor, const char *text) {
    size_t rest = text ? strlen(text) : 0;
    while (rest > 0) {
        ssize_t written = write(descriptor, text, rest);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text += written;
        rest -= (size_t)written;
    }
}

// Replaced as a whole: a signal may come at any moment.
static _Atomic(const char *) words_of_interrupt;

static void end_interrupted(int signal_number) {
    clean_up();
    say(STDERR_FILENO, atomic_load(&words_of_interrupt));
    _exit(128 + signal_number);
}

// The text before is never freed: it may be on its way.
void closer_say_if_interrupted(const char *words) { atomic_store(&words_of_interrupt, words ? strdup(words) : NULL); }

static atomic_int is_writing_whole;
// The signal that waits for the end of what is being written.
static atomic_int waiting_signal;

// A reader that takes nothing does not keep us: SIGALRM comes as the second signal.
static void end_by_signal(int signal_number) {
    int first = 0;
    bool is_first = atomic_compare_exchange_strong(&waiting_signal, &first, signal_number);
    if (!is_first || !atomic_load(&is_writing_whole)) end_interrupted(is_first ? signal_number : first);
    alarm(1);
}

void closer_begin_whole(void) { atomic_store(&is_writing_whole, 1); }

void closer_end_whole(void) {
    atomic_store(&is_writing_whole, 0);
    int signal_number = atomic_load(&waiting_signal);
    if (signal_number) end_interrupted(signal_number);
}

static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};

static bool is_fault(int signal_number) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i] == signal_number) return true;
    return false;
}

// Whether a signal is a request to end: by default it ends a program, it can be caught, and it is no error of a write.
static bool asks_to_end(int signal_number) {
    switch (signal_number) {
    case SIGKILL: case SIGPIPE: case SIGXFSZ:
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCONT:
    case SIGCHLD: case SIGURG: case SIGWINCH:
#ifdef __APPLE__
    case SIGINFO: case SIGIO:
#endif
        return false;
    default: return !is_fault(signal_number);
    }
}

void closer_install_signals(void) {
    struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int number = 1; number < NSIG; number++) {
        if (!asks_to_end(number)) continue;
        // Whoever started us with a signal ignored (nohup) keeps it ignored, but for the one with which we limit a wait.
        struct sigaction before;
        bool is_ignored = sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (is_ignored && number != SIGALRM) continue;
        sigaction(number, &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    // A parent may have blocked them: threads of worker pools do, and their children inherit it.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
}

// Faults: the language's runtime traps or aborts when it gets no memory, and when it finds a mistake of ours.

struct last_words {
    struct closer_last_words for_shortage, for_fault;
};

// Replaced as a whole: a fault may come at any moment, in any thread.
static _Atomic(const struct last_words *) last_words;

// More than any one piece that the runtime asks for: a file of 256 MiB in an array that grows to twice that. Under a limit, after a
// failed allocation, this fails, too.
enum { PROBE = 513 << 20 };

static int is_memory_short(void) {
    void *probe = mmap(NULL, PROBE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) return 1;
    munmap(probe, PROBE);
    return 0;
}

// Whether another process sent it, and we did nothing wrong. abort() sends itself a signal with tgkill.
static bool was_sent(const siginfo_t *info) {
#ifdef __linux__
    if (info->si_code == SI_TKILL) return info->si_pid != getpid();
    return info->si_code <= 0;  // what the kernel finds has a code above 0
#else
    return info->si_code == SI_USER || info->si_code == SI_QUEUE;
#endif
}

// The first thread with a fault ends the process, and any other waits for that. If the ending itself has one, it ends at once.
static void claim_the_end(int code) {
    static _Atomic uintptr_t ending;
    uintptr_t owner = 0;
    if (atomic_compare_exchange_strong(&ending, &owner, (uintptr_t)pthread_self())) return;
    if (owner == (uintptr_t)pthread_self()) _exit(code);
    for (;;) pause();
}

static void end_by_fault(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    if (was_sent(info)) {
        end_by_signal(signal_number);
        return;
    }
    const struct last_words *both = atomic_load(&last_words);
    claim_the_end(both->for_fault.code);
    const struct closer_last_words *words = is_memory_short() ? &both->for_shortage : &both->for_fault;
    say(STDOUT_FILENO, words->output);
    say(STDERR_FILENO, words->errors);
    closer_end(words->code);
}

static bool copy(struct closer_last_words *to, struct closer_last_words words) {
    *to = (struct closer_last_words){words.code, strdup(words.output), strdup(words.errors)};
    return to->output && to->errors;
}

// Without memory, what was prepared before is said. That is never freed: it may be on its way.
static void prepare(struct closer_last_words shortage, struct closer_last_words fault) {
    static struct last_words none;
    struct last_words *both = malloc(sizeof *both);
    if (both && copy(&both->for_shortage, shortage) && copy(&both->for_fault, fault)) atomic_store(&last_words, both);
    else if (!atomic_load(&last_words)) atomic_store(&last_words, &none);
}

void closer_install_last_words(struct closer_last_words shortage, struct closer_last_words fault) {
    static bool is_installed;
    prepare(shortage, fault);
    if (is_installed) return;
    is_installed = true;
    // A stack of its own, because the usual one may have overflowed. Registers of wide vectors need several KiB of it.
    static char stack_memory[64 * 1024];
    const stack_t stack = {.ss_sp = stack_memory, .ss_size = sizeof stack_memory};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = end_by_fault, .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    // In place of the language's own handlers, too: their backtrace shows registers and memory, in which secrets may be.
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &action, NULL);
}

// The wrong way round on purpose: the input cannot be read and the outputs cannot be written, as when they were closed.
bool closer_fill_standard_descriptors(void) {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest number that is free is this one, since those below are open by now.
        if (open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number) return false;
    }
    return true;
}
