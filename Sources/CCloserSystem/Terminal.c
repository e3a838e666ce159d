#include "CCloserSystem.h"
#include "Exit.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// What a terminal must not keep: what is typed at a question that hides it, and a page that is erased. Both survive that the
// process is stopped and continued: while it is stopped, the terminal is as it was; then page and question are shown again, and
// what was typed before is forgotten.
//
// Handlers call only what is async-signal-safe: tcsetattr, tcgetpgrp, sigaction, sigprocmask, raise and write are, and ioctl is
// one system call. A process in the background leaves the terminal alone: tcsetattr would stop it.

enum { QUESTION_ROOM = 1024, USUAL_WIDTH = 80 };

static int terminal;
static struct termios shown_settings, hidden_settings, asking_settings;
// How many of the three are on: hiding, a page, a question. The outermost one found the terminal as it was.
static volatile sig_atomic_t holders = 0;
static volatile sig_atomic_t hiders = 0;
static volatile sig_atomic_t is_asking = 0;
// Between a stop and what follows it.
static volatile sig_atomic_t is_given_back = 0;
static struct sigaction stop_before, continue_before;

static char question[QUESTION_ROOM];
static size_t question_count;

// Not copied: it lies in its owner's locked memory.
static const char *page;
static size_t page_count;
static volatile sig_atomic_t is_page_shown = 0;
// Once the page's question is answered, how much of the answer the terminal showed.
static volatile sig_atomic_t is_answered = 0;
static size_t answer_count;
static unsigned width_when_shown;

static bool is_in_foreground(void) { return tcgetpgrp(terminal) == getpgrp(); }

static unsigned width(void) {
    struct winsize size;
    return ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_WIDTH;
}

// Where the cursor is, from the left end of the page's first line.
struct cursor {
    unsigned row, column, width;
};

static void advance(struct cursor *cursor, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (text && text[i] == '\n') {
            cursor->row++;
            cursor->column = 0;
        } else if (!text || (text[i] & 0xC0) != 0x80) {  // one column for each character of UTF-8
            if (cursor->column == cursor->width) {
                cursor->row++;
                cursor->column = 0;
            }
            cursor->column++;
        }
    }
}

static void put(const char *text, size_t count) {
    if (write(terminal, text, count) < 0) return;
}

// Line by line, and not with one command: terminal multiplexers keep a screen that is cleared to be scrolled back to.
//
// Some terminals wrap what they show anew when they become wider or narrower, and some do not. Of the two widths the smaller one
// counts: what was above the page may be erased with it, but nothing of it stays.
static void erase_page(void) {
    unsigned now = width();
    struct cursor cursor = {0, 0, now < width_when_shown ? now : width_when_shown};
    advance(&cursor, page, page_count);
    if (is_asking || is_answered) advance(&cursor, question, question_count);
    if (is_answered) {
        advance(&cursor, NULL, answer_count);
        cursor.row++;
    }
    put("\r\033[2K", 5);
    for (; cursor.row > 0; cursor.row--) put("\033[A\033[2K", 7);
}

static bool show_page(void) {
    width_when_shown = width();
    is_answered = 0;
    is_page_shown = 1;
    return write(terminal, page, page_count) == (ssize_t)page_count;
}

static const struct termios *settings(void) {
    if (is_asking) return &asking_settings;
    return hiders > 0 ? &hidden_settings : &shown_settings;
}

static bool show_question(void) {
    // What was typed ahead was typed for something else.
    if (tcsetattr(terminal, TCSAFLUSH, settings()) != 0) return false;
    return write(terminal, question, question_count) == (ssize_t)question_count;
}

static void show_again(void) {
    is_given_back = 0;
    if (is_page_shown) show_page();
    if (is_asking) show_question();
    else if (hiders > 0) tcsetattr(terminal, TCSAFLUSH, &hidden_settings);
}

static void go_on(int signal_number) {
    (void)signal_number;
    int error = errno;
    if (holders > 0 && is_in_foreground()) show_again();
    errno = error;
}

static void stop(int signal_number) {
    int error = errno;
    if (is_in_foreground()) {
        tcsetattr(terminal, TCSANOW, &shown_settings);
        if (is_page_shown) erase_page();
    }
    is_given_back = 1;
    struct sigaction ours, theirs = {.sa_handler = SIG_DFL};
    sigemptyset(&theirs.sa_mask);
    sigaction(signal_number, &theirs, &ours);
    sigset_t stopping, before;
    sigemptyset(&stopping);
    sigaddset(&stopping, signal_number);
    raise(signal_number);
    // Here the process stops, and here it goes on, usually through go_on.
    sigprocmask(SIG_UNBLOCK, &stopping, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(signal_number, &ours, NULL);
    // The system stops no process whose shell is gone.
    if (is_given_back && is_in_foreground()) show_again();
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

static bool hold(int number) {
    if (holders > 0) {
        holders++;
        return true;
    }
    terminal = number;
    // In the background, the settings are those of the shell's own line: wait until it is our turn, as for any input.
    if (!is_in_foreground()) raise(SIGTTIN);
    if (tcgetattr(terminal, &shown_settings) != 0) return false;
    hidden_settings = shown_settings;
    hidden_settings.c_lflag &= ~(tcflag_t)ECHO;
    hidden_settings.c_lflag |= ICANON | ISIG;
    sigset_t before;
    block_all(&before);
    holders = 1;
    is_given_back = 0;
    handle(SIGTSTP, stop, &stop_before);
    handle(SIGCONT, go_on, &continue_before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return true;
}

static void let_go(void) {
    if (--holders > 0) return;
    sigaction(SIGTSTP, &stop_before, NULL);
    sigaction(SIGCONT, &continue_before, NULL);
}

bool closer_begin_hiding(int number) {
    if (!hold(number)) return false;
    hiders++;
    return true;
}

void closer_end_hiding(bool forgets) {
    sigset_t before;
    block_all(&before);
    hiders--;
    if (hiders == 0) tcsetattr(terminal, forgets ? TCSAFLUSH : TCSADRAIN, settings());
    let_go();
    sigprocmask(SIG_SETMASK, &before, NULL);
}

bool closer_ask(int number, const void *text, size_t count, bool hides) {
    if (!hold(number)) return false;
    sigset_t before;
    block_all(&before);
    question_count = count < QUESTION_ROOM ? count : QUESTION_ROOM;
    memcpy(question, text, question_count);
    asking_settings = hidden_settings;
    if (!hides) asking_settings.c_lflag |= ECHO;
    is_asking = 1;
    bool is_asked = show_question();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!is_asked) closer_end_asking(0);
    return is_asked;
}

void closer_end_asking(size_t shown_count) {
    sigset_t before;
    block_all(&before);
    is_asking = 0;
    is_answered = 1;
    answer_count = shown_count;
    // What was pasted behind the answer is not for the shell.
    tcsetattr(terminal, TCSAFLUSH, settings());
    let_go();
    sigprocmask(SIG_SETMASK, &before, NULL);
}

bool closer_begin_page(int number, const void *text, size_t count) {
    if (!hold(number)) return false;
    page = text;
    page_count = count;
    return true;
}

bool closer_show_page(void) {
    sigset_t before;
    block_all(&before);
    bool is_shown = show_page();
    sigprocmask(SIG_SETMASK, &before, NULL);
    return is_shown;
}

void closer_end_page(void) {
    sigset_t before;
    block_all(&before);
    if (is_page_shown) erase_page();
    is_page_shown = 0;
    let_go();
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void closer_give_terminal_back(void) {
    if (holders == 0 || !is_in_foreground()) return;
    tcsetattr(terminal, TCSANOW, &shown_settings);
    if (is_page_shown) erase_page();
    // Nothing shows the newline of an interrupt; the shell's next line begins on a line of its own.
    else if (is_asking) put("\n", 1);
}
