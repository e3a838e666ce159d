#define _GNU_SOURCE
#include "CPeers.h"

#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct peer_server {
    FILE *to, *from;
    pid_t process;
    char line[64];
};

// Two processes on two processors would each have noise of its own. One waits while the other works, so they need only one. What
// was allowed before is allowed again when the other is gone.
#ifdef __linux__
static cpu_set_t allowed;

static void share_one_processor(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || sched_setaffinity(0, sizeof one, &one) != 0) abort();
}

static void use_all_processors(void) { sched_setaffinity(0, sizeof allowed, &allowed); }
#else
static void share_one_processor(void) {}
static void use_all_processors(void) {}
#endif

// Its ends of the pipes become its input and its output, and ours are closed there, so that it sees our end.
static int start(const char *path, const int to[2], const int from[2], pid_t *process) {
    char *arguments[] = {(char *)path, "--serve", NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    for (int end = 0; end < 2; end++) {
        posix_spawn_file_actions_addclose(&actions, to[end]);
        posix_spawn_file_actions_addclose(&actions, from[end]);
    }
    int status = posix_spawnp(process, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

peer_server *peer_server_new(const char *path) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) abort();
    peer_server *server = calloc(1, sizeof *server);
    share_one_processor();
    int status = server ? start(path, to, from, &server->process) : -1;
    close(to[0]);
    close(from[1]);
    if (status == 0) {
        server->to = fdopen(to[1], "w");
        server->from = fdopen(from[0], "r");
        return server;
    }
    close(to[1]);
    close(from[0]);
    use_all_processors();
    free(server);
    return NULL;
}

bool peer_server_ask(peer_server *server, const char *line) {
    return fputs(line, server->to) >= 0 && fflush(server->to) == 0;
}

const char *peer_server_line(peer_server *server) {
    return fgets(server->line, sizeof server->line, server->from) ? server->line : "";
}

void peer_server_free(peer_server *server) {
    fclose(server->to);
    fclose(server->from);
    waitpid(server->process, NULL, 0);
    use_all_processors();
    free(server);
}
