// CPU_COUNT and sched_getaffinity.
#define _GNU_SOURCE
#include "CCloserSystem.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

struct start {
    void (*body)(void *);
    void *context;
};

// Registers of wide vectors need several KiB of it.
enum { FAULT_STACK = 64 * 1024 };

// What ends with a fault needs a stack that did not overflow, and each thread has its own: see Exit.c.
static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    void *memory = malloc(FAULT_STACK);
    stack_t stack = {.ss_sp = memory, .ss_size = FAULT_STACK};
    if (memory) sigaltstack(&stack, NULL);
    start.body(start.context);
    stack.ss_flags = SS_DISABLE;
    if (memory) sigaltstack(&stack, NULL);
    free(memory);
    return NULL;
}

bool closer_start_thread(void (*body)(void *), void *context, uintptr_t *thread) {
    struct start *start = malloc(sizeof *start);
    if (!start) return false;
    *start = (struct start){body, context};
    pthread_t started;
    if (pthread_create(&started, NULL, run, start) != 0) {
        free(start);
        return false;
    }
    *thread = (uintptr_t)started;
    return true;
}

void closer_join_thread(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

int closer_core_count(void) {
#ifdef __linux__
    cpu_set_t ours;
    if (sched_getaffinity(0, sizeof ours, &ours) == 0) return CPU_COUNT(&ours);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (int)count;
}

bool closer_memory_is_limited(void) {
    struct rlimit all, data;
    return (getrlimit(RLIMIT_AS, &all) == 0 && all.rlim_cur != RLIM_INFINITY)
        || (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY);
}
