#include "CPeers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// The system counts what a process had before exec, too. So whoever calls this must be small, and fork, unlike posix_spawn,
// copies only what was written.
int64_t peer_peak(char *const arguments[]) {
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
#ifdef __APPLE__
    return usage.ru_maxrss;
#else
    return (int64_t)usage.ru_maxrss << 10;
#endif
}

/// A line of /proc/self/status, such as `VmRSS:     4096 kB`, in bytes.
static int64_t status(const char *format) {
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return -1;
    char line[256];
    long long found = -1;
    while (found < 0 && fgets(line, sizeof line, file)) sscanf(line, format, &found);
    fclose(file);
    return found < 0 ? -1 : found << 10;
}

int64_t peer_memory_reset(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    int file = open("/proc/self/clear_refs", O_WRONLY);
    if (file < 0) return -1;
    ssize_t written = write(file, "5", 1);
    close(file);
    return written == 1 ? status("VmRSS: %lld") : -1;
}

int64_t peer_memory_peak(void) { return status("VmHWM: %lld"); }
