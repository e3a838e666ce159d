// What the library's modules take of the C of Apple's systems, for scripts/apple.py. The numbers are Apple's where Swift sees them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef long time_t;
typedef int64_t off_t;
typedef int32_t pid_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint32_t uid_t, gid_t;
typedef uint16_t mode_t;
typedef unsigned int nfds_t;
typedef uint32_t useconds_t;
typedef struct FILE FILE;
typedef struct DIR DIR;

struct timespec { time_t tv_sec; long tv_nsec; };
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    struct timespec st_ctimespec;
    off_t st_size;
};
struct pollfd { int fd; short events, revents; };
struct dirent { ino_t d_ino; uint8_t d_type; char d_name[1024]; };

#define EPERM 1
#define EINTR 4
#define EIO 5
#define EACCES 13
#define EBUSY 16
#define ENOENT 2
#define EEXIST 17
#define ENOSPC 28
#define EPIPE 32
#define ENOTDIR 20
#define EINVAL 22
#define EFBIG 27
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define ENOSYS 78
#define F_OK 0
#define RENAME_EXCL 0x00000004
#define PATH_MAX 1024
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_EXCL 0x00000800
#define O_NOCTTY 0x00020000
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLNVAL 0x0020
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_PRIVATE 0x0002
#define MAP_ANON 0x1000
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 6

int *__error(void);
#define errno (*__error())
char *strerror(int number);
int strerror_r(int number, char *text, size_t count);
size_t strlen(const char *text);
char *strcpy(char *target, const char *source);
void *memcpy(void *target, const void *source, size_t count);
void free(void *memory);
void *malloc(size_t count);
size_t malloc_size(const void *memory);
char *getenv(const char *name);
char *realpath(const char *path, char *resolved);
int open(const char *path, int flags, ...);
int close(int file);
ssize_t read(int file, void *target, size_t count);
ssize_t write(int file, const void *source, size_t count);
int fsync(int file);
int fstat(int file, struct stat *status);
int fstatat(int folder, const char *path, struct stat *status, int flags);
int fchmod(int file, mode_t mode);
int chmod(const char *path, mode_t mode);
int mkdir(const char *path, mode_t mode);
int access(const char *path, int mode);
int link(const char *from, const char *to);
int rename(const char *from, const char *to);
int renamex_np(const char *from, const char *to, unsigned int flags);
void sync(void);
int unlink(const char *path);
int flock(int file, int operation);
int isatty(int file);
int usleep(useconds_t microseconds);
int poll(struct pollfd *places, nfds_t count, int milliseconds);
char *getcwd(char *path, size_t count);
ssize_t readlink(const char *path, char *target, size_t count);
// As much of it as is used.
struct passwd { char *pw_name; };
struct passwd *getpwuid(uid_t user);
uid_t geteuid(void);
gid_t getegid(void);
pid_t getpid(void);
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
int clock_gettime(int clock, struct timespec *time);
time_t time(time_t *time);
void *mmap(void *address, size_t count, int protection, int flags, int file, off_t offset);
int munmap(void *address, size_t count);
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock;
#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})
void os_unfair_lock_lock(os_unfair_lock *lock);
bool os_unfair_lock_trylock(os_unfair_lock *lock);
void os_unfair_lock_unlock(os_unfair_lock *lock);

// What the compilers call by themselves.
void bzero(void *target, size_t count);
void *memset(void *target, int byte, size_t count);
void *memmove(void *target, const void *source, size_t count);
extern long __stack_chk_guard;
void __stack_chk_fail(void);
