#include "CCloserSystem.h"

#ifdef __APPLE__
#include <crt_externs.h>

char *const *closer_arguments(int *count) {
    *count = *_NSGetArgc();
    return *_NSGetArgv();
}
#elif defined(__GLIBC__)
static int argument_count;
static char *const *arguments;

// glibc gives a constructor what it gives main.
__attribute__((constructor)) static void keep_arguments(int count, char **vector) {
    argument_count = count;
    arguments = vector;
}

char *const *closer_arguments(int *count) {
    *count = argument_count;
    return arguments;
}
#else
char *const *closer_arguments(int *count) {
    *count = 0;
    return NULL;
}
#endif
