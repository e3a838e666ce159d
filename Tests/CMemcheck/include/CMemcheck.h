// What a program that runs under valgrind may ask it. Elsewhere nothing happens, and there are no errors.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Whether valgrind runs the program.
bool memcheck_is_there(void);
/// From here on a branch or an index that depends on these bytes is an error.
void memcheck_hide(const void *bytes, size_t count);
/// From here on it is none.
void memcheck_show(const void *bytes, size_t count);
/// How many errors there were until now.
size_t memcheck_error_count(void);
