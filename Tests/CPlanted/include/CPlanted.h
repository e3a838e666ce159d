// Faults in C, of which a sanitizer must tell.
#pragma once

#include <stddef.h>

/// Reads the byte behind `count` of them on the heap.
int planted_overrun_in_c(size_t count);
/// Adds one to the largest number. `one` is 1, which the compiler does not know.
int planted_overflow(int one);
/// Two threads count in a variable that no lock guards.
int planted_race_in_c(void);
/// Loses what it has allocated.
void planted_leak(size_t count);
/// Runs `body` in two threads at the same time, and waits for them.
void planted_in_two_threads(void (*body)(void));
