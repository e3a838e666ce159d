#include "CPlanted.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int planted_overrun_in_c(size_t count) {
    unsigned char *bytes = malloc(count);
    memset(bytes, 1, count);
    int read = ((volatile unsigned char *)bytes)[count];
    free(bytes);
    return read;
}

int planted_overflow(int one) { return INT_MAX + one; }

void planted_leak(size_t count) {
    char *volatile bytes = malloc(count);
    bytes[0] = 1;
    bytes = NULL;
}

static volatile int counter;

static void count_up(void) {
    for (int i = 0; i < 1000; i++) counter = counter + 1;
}

int planted_race_in_c(void) {
    planted_in_two_threads(count_up);
    return counter;
}

static void *run(void *body) {
    ((void (*)(void))body)();
    return NULL;
}

void planted_in_two_threads(void (*body)(void)) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, (void *)body);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
