#include "CCloserSystem.h"

#include "Exit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

static volatile sig_atomic_t running_program = 0, running_shell = 0;

// By its number, too: it may have gone over to another group, and whoever waits for it would wait for ever.
static void kill_program(pid_t process) {
    kill(-process, SIGKILL);
    kill(process, SIGKILL);
}

void closer_kill_running_program(void) {
    if (running_program > 0) kill_program(running_program);
    // Our own group is the caller's, too.
    if (running_shell > 0) kill(running_shell, SIGTERM);
}

extern char **environ;

// Both ends are closed in whatever we start; what becomes its input and output is copied.
static bool make_pipe(int ends[2]) {
    if (pipe(ends) != 0) return false;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static int spawn(char **arguments, int input, int output, short group, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    // What we ignore would stay ignored in it: a shell's pipeline would not end.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    int error = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int closer_start_program(const char *texts, size_t count, struct closer_program *program) {
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    char **arguments = calloc(count + 1, sizeof *arguments);
    int error = ENOMEM;
    if (arguments) {
        for (size_t i = 0; i < count; i++, texts += strlen(texts) + 1) arguments[i] = (char *)texts;
        pid_t process = 0;
        error = make_pipe(in) && make_pipe(out) && fcntl(in[1], F_SETFL, O_NONBLOCK) == 0
                    ? spawn(arguments, in[0], out[1], POSIX_SPAWN_SETPGROUP, &process)
                    : errno;
        if (error == 0) {
            running_program = process;
            *program = (struct closer_program){process, in[1], out[0]};
        }
    }
    free(arguments);
    const int unused[] = {in[0], out[1], error ? in[1] : -1, error ? out[0] : -1};
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
        if (unused[i] >= 0) close(unused[i]);
    return error;
}

int closer_start_shell(const char *command, int *process, int *output) {
    // If our parent ignored SIGCHLD, so do we, and then wait() cannot say how a child ended.
    signal(SIGCHLD, SIG_DFL);
    char *arguments[] = {"/bin/sh", "-c", "--", (char *)command, NULL};
    int out[2] = {-1, -1}, input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t shell = 0;
    int error = input >= 0 && make_pipe(out) ? spawn(arguments, input, out[1], 0, &shell) : errno;
    *process = running_shell = shell;
    *output = out[0];
    const int unused[] = {input, out[1], error ? out[0] : -1};
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
        if (unused[i] >= 0) close(unused[i]);
    return error;
}

int closer_wait_for_shell(int process) {
    int status = 0;
    siginfo_t info;
    // Until it is taken away, its number is nobody else's.
    while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
    running_shell = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) return -SIGKILL;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

ssize_t closer_send_to_program(int input, const void *bytes, size_t count) {
    sigset_t closed, before, pending;
    sigemptyset(&closed);
    sigaddset(&closed, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &closed, &before);
    ssize_t sent = write(input, bytes, count);
    int error = errno;
    // It came to this thread, and waits for it to be taken.
    int taken;
    if (sent < 0 && error == EPIPE && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE)) sigwait(&closed, &taken);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return sent;
}

int closer_end_of_program(int process) {
    // Not taken away yet: until it is, its number is nobody else's.
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return CLOSER_STILL_RUNNING;
    return info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
}

void closer_end_program(int process) {
    running_program = 0;
    kill_program(process);
    // What is killed is gone within milliseconds, unless it took the rights of somebody whom we may not kill, or another
    // process traces it. Whoever waited for that would wait as long as it likes, so it has a second.
    for (int waited = 0; waited < 100 && waitpid(process, NULL, WNOHANG) == 0; waited++) usleep(waited < 10 ? 1000 : 10000);
}
