#include "CPeers.h"

#include <fcntl.h>
#include <unistd.h>

bool peer_write_synced(const char *path, size_t times) {
    static const char page[4096];
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0) return false;
    bool is_done = true;
    while (is_done && times--) is_done = pwrite(file, page, sizeof page, 0) == sizeof page && fsync(file) == 0;
    return close(file) == 0 && is_done;
}
