// What Swift cannot call or must not do by itself: macros of the operating system, and signal handlers.
#ifndef CCLOSERSYSTEM_H
#define CCLOSERSYSTEM_H

// What CloserSystem calls of the C library comes with this header, too.
#include <CCloserFiles.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <sys/wait.h>

// No core dump, and no ptrace or /proc/self/mem for other processes of the same user. True when both hold.
bool closer_deny_dumps(void);

// Makes a write to a closed pipe or beyond a size limit an error instead of a signal, and makes every signal that
// ends a process do so with 128 + signal after temporary files are gone and the terminal shows what is typed again.
void closer_install_signals(void);

// What a process says at the very end: an exit code, and texts for standard output and standard error, which may be empty.
struct closer_last_words {
    int code;
    const char *output;
    const char *errors;
};

// Makes every fault (a trap, an abort, a bad address) end the process as above, with these words: the first where the system
// has no memory left, the second elsewhere. The texts are copied. Called again, it replaces the words.
void closer_install_last_words(struct closer_last_words shortage, struct closer_last_words fault);

// The C library's, under a name that no method of Swift hides.
static inline _Noreturn void closer_exit(int code) { exit(code); }

// Ends the process at once: temporary files are removed, the terminal shows what is typed again, a program that was
// started is killed.
void closer_end(int code);

// Between the two, a signal that ends the process waits: what is being written goes out whole. It waits a second at most, and a
// second signal does not wait.
void closer_begin_whole(void);
void closer_end_whole(void);

// The arguments of this process as the system gave them, the program's name first; NULL where the system does not tell. Swift
// reads them from /proc, which may not be there.
char *const *closer_arguments(int *count);

// Opens /dev/null on those of the descriptors 0 to 2 that are closed, so that no file gets such a number; to read or write
// there still fails. False if there is no /dev/null.
bool closer_fill_standard_descriptors(void);

// What is said on standard error when a signal ends the process, after the terminal is given back; NULL for nothing. The text is copied.
void closer_say_if_interrupted(const char *words);

// Stops the terminal from showing what is typed, until the second call or an interrupt. If it `forgets`, what was typed ahead is
// dropped. False if it is no terminal, and then nothing is to be ended.
bool closer_begin_hiding(int terminal);
void closer_end_hiding(bool forgets);

// Shows a question and waits for nothing; if it `hides`, the terminal shows nothing of the answer, until the second call, which is
// told how much of it was shown, or an interrupt. If the process is stopped in between, both are done again when it goes on. False if
// it is no terminal, and then nothing is to be ended.
bool closer_ask(int terminal, const void *text, size_t count, bool hides);
void closer_end_asking(size_t shown_count);

// A page is erased line by line by the last call, with one question that was asked meanwhile, by a stop, after which it is shown again,
// and by the end of the process. It is not copied. What is above it on the screen stays. False if it is no terminal, and then nothing
// is to be ended.
bool closer_begin_page(int terminal, const void *text, size_t count);
bool closer_show_page(void);
void closer_end_page(void);

// A secret, while it is given away.
struct closer_secret {
    const void *bytes;
    size_t count;
};

// Keeps a secret in the kernel's memory for so many seconds, in the keyring of this login (keyrings(7)), in the place of one with the
// same name. 0, or what errno would be.
int closer_keyring_add(const char *name, struct closer_secret secret, unsigned seconds);

// Takes it away from all processes that have it.
int closer_keyring_remove(int32_t key);

// Finds the secrets of this user in that keyring whose names begin so, and whose time is not over.
int closer_keyring_list(const char *prefix, int32_t *keys, size_t room, size_t *count);

// Reads one of exactly `count` bytes.
bool closer_keyring_read(int32_t key, void *bytes, size_t count);

// A program that was started, and our ends of the pipes that are its standard input and output.
struct closer_program {
    int process;
    int input;
    int output;
};

// Starts a program found along PATH, in a process group of its own, with the signals as they are by default. `texts` are
// its name and arguments, each ended by a NUL. An interrupt of ours kills it as below. 0, or what errno would be.
int closer_start_program(const char *texts, size_t count, struct closer_program *program);

// Writes what the pipe takes. A program that ended before it read is an error, EPIPE, and no signal, also where nobody has
// called closer_install_signals.
ssize_t closer_send_to_program(int input, const void *bytes, size_t count);

// How a program ended: its exit code, or a signal's number below 0; CLOSER_STILL_RUNNING if it has not.
enum { CLOSER_STILL_RUNNING = 1 << 20 };
int closer_end_of_program(int process);

// Kills the program and its process group, and waits until it is gone: a second at most, since it may be one that we may
// not kill. What left the group (setsid, a shell's job control) lives on: there is no portable way to find it.
void closer_end_program(int process);

// Starts a command of the shell in our process group, so that it may ask at the terminal, and an interrupt there ends it with us; another
// signal that ends us ends the shell, and what it started may go on. It has no input. `output` is our end of its standard output. 0, or what errno would be.
int closer_start_shell(const char *command, int *process, int *output);

// Waits until it ends: its exit code, or a signal's number below 0.
int closer_wait_for_shell(int process);

// Runs `body` in a thread of its own, which closer_join_thread waits for. False if the system gives no more threads.
bool closer_start_thread(void (*body)(void *), void *context, uintptr_t *thread);
void closer_join_thread(uintptr_t thread);

// How many processor cores this process may use.
int closer_core_count(void);

// Whether this process was given a limit of memory: of all that it maps, or of its data.
bool closer_memory_is_limited(void);

#endif
