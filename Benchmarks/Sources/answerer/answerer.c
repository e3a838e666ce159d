// Answers each line of the vectors' protocol at once: says at first that it has the operation that it is started with, and then that
// it skips the case. What a run over it takes is what the run itself takes.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char *arguments[]) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        char *number = strstr(line, "\"seq\":");
        if (!number) break;
        long sequence = atol(number + 6);
        if (sequence == 0) {
            printf("{\"seq\":0,\"features\":[\"%s\"]}\n", count > 1 ? arguments[1] : "");
        } else {
            printf("{\"seq\":%ld,\"skip\":\"it only answers\"}\n", sequence);
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
