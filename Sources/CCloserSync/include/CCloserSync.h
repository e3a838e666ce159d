#pragma once
// The lock of the system and atomic counters. Swift's own (the module Synchronization) are of iOS 18 and macOS 15.

#include <stdbool.h>
#include <stdint.h>

#ifdef __APPLE__
#include <os/lock.h>
typedef os_unfair_lock closer_lock;
static inline closer_lock closer_lock_new(void) { return OS_UNFAIR_LOCK_INIT; }
static inline void closer_lock_take(closer_lock *lock) { os_unfair_lock_lock(lock); }
static inline bool closer_lock_try(closer_lock *lock) { return os_unfair_lock_trylock(lock); }
static inline void closer_lock_give(closer_lock *lock) { os_unfair_lock_unlock(lock); }
#else
#include <pthread.h>
typedef pthread_mutex_t closer_lock;
static inline closer_lock closer_lock_new(void) { return (closer_lock)PTHREAD_MUTEX_INITIALIZER; }
static inline void closer_lock_take(closer_lock *lock) { pthread_mutex_lock(lock); }
static inline bool closer_lock_try(closer_lock *lock) { return pthread_mutex_trylock(lock) == 0; }
static inline void closer_lock_give(closer_lock *lock) { pthread_mutex_unlock(lock); }
#endif

// Not inline: the thread sanitizer sees what is compiled with it.
uint64_t closer_counter_read(const uint64_t *counter);
void closer_counter_add(uint64_t *counter, uint64_t number);
// Puts `desired` in the place of `*expected`, and sees what the thread did that masked the counter before. If the counter holds
// something else, writes that to `*expected` and returns false.
bool closer_counter_exchange(uint64_t *counter, uint64_t *expected, uint64_t desired);
// Keeps the bits of `mask`.
void closer_counter_mask(uint64_t *counter, uint64_t mask);
