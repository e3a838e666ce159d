#include "CPeers.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct peer_server {
    FILE *to, *from;
    pid_t process;
    char line[128];
};

// A pipe that closes in every program that is started later: only so does the other process see our end.
static void make_pipe(int ends[2]) {
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0) abort();
}

// Its ends of the pipes become its input and its output.
static int start(char *const arguments[], int input, int output, pid_t *process) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    int status = posix_spawnp(process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

peer_server *peer_server_new(char *const arguments[]) {
    int to[2], from[2];
    make_pipe(to);
    make_pipe(from);
    peer_server *server = calloc(1, sizeof *server);
    int status = server ? start(arguments, to[0], from[1], &server->process) : -1;
    close(to[0]);
    close(from[1]);
    if (status == 0) {
        server->to = fdopen(to[1], "w");
        server->from = fdopen(from[0], "r");
        return server;
    }
    close(to[1]);
    close(from[0]);
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
    free(server);
}
