#if defined(CLOSER_APPLE) && !defined(__APPLE__)
#error "Package.swift was read on a Mac, and this build is for another system: set CLOSER_KEYS_LINUX=1"
#endif

#include "CCloserSync.h"

uint64_t closer_counter_read(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

void closer_counter_add(uint64_t *counter, uint64_t number) { __atomic_fetch_add(counter, number, __ATOMIC_RELAXED); }

bool closer_counter_exchange(uint64_t *counter, uint64_t *expected, uint64_t desired) {
    return __atomic_compare_exchange_n(counter, expected, desired, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void closer_counter_mask(uint64_t *counter, uint64_t mask) { __atomic_fetch_and(counter, mask, __ATOMIC_RELEASE); }
