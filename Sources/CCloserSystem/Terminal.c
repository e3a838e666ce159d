#include "CCloserSystem.h"
#include "Exit.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// A question on a terminal that does not show the answer. It survives that the process is stopped and continued: while it is
// stopped, the terminal is as it was; then the question is asked again, and what was typed before is forgotten.
//
// Handlers call only what is async-signal-safe: tcsetattr, tcgetpgrp, sigaction, sigprocmask, raise and write are. A process
// in the background leaves the terminal alone: tcsetattr would stop it.

enum { QUESTION_ROOM = 1024 };

static int terminal;
static struct termios shown_settings, hidden_settings;
static char question[QUESTION_ROOM];
static size_t question_count;
static volatile sig_atomic_t is_asking = 0;
// Between a stop and what follows it.
static volatile sig_atomic_t is_given_back = 0;
static struct sigaction stop_before, continue_before;

static bool is_in_foreground(void) { return tcgetpgrp(terminal) == getpgrp(); }

static bool hide_and_ask(void) {
    // What was typed ahead was typed for something else.
    if (tcsetattr(terminal, TCSAFLUSH, &hidden_settings) != 0) return false;
    is_given_back = 0;
    return write(terminal, question, question_count) == (ssize_t)question_count;
}

static void ask_again(int signal_number) {
    (void)signal_number;
    int error = errno;
    if (is_asking && is_in_foreground()) hide_and_ask();
    errno = error;
}

static void stop(int signal_number) {
    int error = errno;
    if (is_in_foreground()) tcsetattr(terminal, TCSANOW, &shown_settings);
    is_given_back = 1;
    struct sigaction ours, theirs = {.sa_handler = SIG_DFL};
    sigemptyset(&theirs.sa_mask);
    sigaction(signal_number, &theirs, &ours);
    sigset_t stopping, before;
    sigemptyset(&stopping);
    sigaddset(&stopping, signal_number);
    raise(signal_number);
    // Here the process stops, and here it goes on, usually through ask_again.
    sigprocmask(SIG_UNBLOCK, &stopping, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(signal_number, &ours, NULL);
    // The system stops no process whose shell is gone.
    if (is_given_back && is_in_foreground()) hide_and_ask();
    errno = error;
}

static void block_all(sigset_t *before) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, before);
}

static void handle(int signal_number, void (*handler)(int), struct sigaction *before) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    // A shell without job control ignores the stop, and so do its children.
    if (sigaction(signal_number, NULL, before) == 0 && before->sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

bool closer_ask_hidden(int number, const void *text, size_t count) {
    terminal = number;
    // In the background, the settings are those of the shell's own line: wait until it is our turn, as for any input.
    if (!is_in_foreground()) raise(SIGTTIN);
    if (tcgetattr(terminal, &shown_settings) != 0) return false;
    hidden_settings = shown_settings;
    hidden_settings.c_lflag &= ~(tcflag_t)ECHO;
    hidden_settings.c_lflag |= ICANON | ISIG;
    question_count = count < QUESTION_ROOM ? count : QUESTION_ROOM;
    memcpy(question, text, question_count);
    sigset_t before;
    block_all(&before);
    is_asking = 1;
    handle(SIGTSTP, stop, &stop_before);
    handle(SIGCONT, ask_again, &continue_before);
    bool is_asked = hide_and_ask();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!is_asked) closer_end_asking();
    return is_asked;
}

void closer_end_asking(void) {
    if (!is_asking) return;
    sigset_t before;
    block_all(&before);
    // What was pasted behind the answer is not for the shell.
    tcsetattr(terminal, TCSAFLUSH, &shown_settings);
    is_asking = 0;
    sigaction(SIGTSTP, &stop_before, NULL);
    sigaction(SIGCONT, &continue_before, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

enum { ERASURE_ROOM = 15 };

static char erasure[ERASURE_ROOM];
static volatile sig_atomic_t erasure_count = 0;

void closer_begin_erasable(int number, const void *text, size_t count) {
    erasure_count = 0;
    terminal = number;
    size_t fitting = count < ERASURE_ROOM ? count : ERASURE_ROOM;
    memcpy(erasure, text, fitting);
    erasure_count = (sig_atomic_t)fitting;
}

void closer_end_erasable(void) { erasure_count = 0; }

void closer_give_terminal_back(void) {
    if ((!is_asking && erasure_count == 0) || !is_in_foreground()) return;
    if (is_asking) tcsetattr(terminal, TCSANOW, &shown_settings);
    // Nothing shows the newline of an interrupt; the shell's next line begins on a line of its own.
    const char *end = erasure_count > 0 ? erasure : "\n";
    if (write(terminal, end, erasure_count > 0 ? (size_t)erasure_count : 1) < 0) return;
}
