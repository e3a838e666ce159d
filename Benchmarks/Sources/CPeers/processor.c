#define _GNU_SOURCE
#include "CPeers.h"

#include <sched.h>
#include <stdlib.h>

// Processes on two processors would each have noise of its own. One waits while the other works, so they need only one.
#ifdef __linux__
static cpu_set_t allowed;

void peer_share_one_processor(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || sched_setaffinity(0, sizeof one, &one) != 0) abort();
}

void peer_use_all_processors(void) { sched_setaffinity(0, sizeof allowed, &allowed); }
#else
void peer_share_one_processor(void) {}
void peer_use_all_processors(void) {}
#endif
