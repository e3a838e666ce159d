#include "CMemcheck.h"

#include <valgrind/memcheck.h>

bool memcheck_is_there(void) { return RUNNING_ON_VALGRIND > 0; }

void memcheck_hide(const void *bytes, size_t count) { VALGRIND_MAKE_MEM_UNDEFINED(bytes, count); }

void memcheck_show(const void *bytes, size_t count) { VALGRIND_MAKE_MEM_DEFINED(bytes, count); }

size_t memcheck_error_count(void) { return VALGRIND_COUNT_ERRORS; }
