/* Writes down what a process does to the files of a folder: POWER_FOLDER, into the file POWER_LOG.
   Loaded with LD_PRELOAD. A record is a letter, a file's number, an offset, two lengths, and two texts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#undef open
#undef open64
#undef pwrite
#undef pwrite64
#undef ftruncate
#undef ftruncate64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;

#define REAL(name, type, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int inside(const char *path) {
    const char *folder = getenv("POWER_FOLDER");
    return folder && path && !strncmp(path, folder, strlen(folder));
}

static void record(char kind, uint64_t number, uint64_t offset, const void *first, uint32_t m,
                   const void *second, uint32_t n) {
    struct __attribute__((packed)) { char kind; uint64_t number, offset; uint32_t m, n; } head =
        {kind, number, offset, m, n};
    struct iovec parts[3] = {{&head, sizeof head}, {(void *)first, m}, {(void *)second, n}};
    pthread_mutex_lock(&lock);
    if (log_fd < 0) {
        REAL(open, int, const char *, int, ...);
        log_fd = real(getenv("POWER_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
    if (writev(log_fd, parts, 3) < 0) abort();
    pthread_mutex_unlock(&lock);
}

/* The file of a descriptor, if it is in the folder. */
static int known(int fd, char *path, struct stat *about) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, 4095);
    if (length < 0) return 0;
    path[length] = 0;
    return inside(path) && !fstat(fd, about);
}

static int opened(int fd, const char *path, int flags, int was_there) {
    struct stat about;
    if (fd >= 0 && !fstat(fd, &about)) {
        if (!was_there) record('C', about.st_ino, 0, path, strlen(path), "", 0);
        else if (flags & O_TRUNC) record('T', about.st_ino, 0, "", 0, "", 0);
    }
    return fd;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name, int, const char *, int, ...); \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        if (!inside(path) || !(flags & (O_CREAT | O_TRUNC))) return real(path, flags, mode); \
        int was_there = !access(path, F_OK); \
        return opened(real(path, flags, mode), path, flags, was_there); \
    }
OPEN(open)
OPEN(open64)

static void wrote(int fd, const void *data, ssize_t done, off_t offset) {
    char path[4096]; struct stat about;
    if (done > 0 && known(fd, path, &about)) record('W', about.st_ino, offset, "", 0, data, done);
}

ssize_t write(int fd, const void *data, size_t count) {
    REAL(write, ssize_t, int, const void *, size_t);
    ssize_t done = real(fd, data, count);
    if (done > 0) wrote(fd, data, done, lseek(fd, 0, SEEK_CUR) - done);
    return done;
}

#define PWRITE(name) \
    ssize_t name(int fd, const void *data, size_t count, off_t offset) { \
        REAL(name, ssize_t, int, const void *, size_t, off_t); \
        ssize_t done = real(fd, data, count, offset); \
        wrote(fd, data, done, offset); \
        return done; \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define TRUNCATE(name) \
    int name(int fd, off_t size) { \
        REAL(name, int, int, off_t); \
        char path[4096]; struct stat about; \
        int done = real(fd, size); \
        if (!done && known(fd, path, &about)) record('T', about.st_ino, size, "", 0, "", 0); \
        return done; \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define SYNC(name) \
    int name(int fd) { \
        REAL(name, int, int); \
        char path[4096]; struct stat about; \
        int done = real(fd); \
        if (!done && known(fd, path, &about)) \
            record(S_ISDIR(about.st_mode) ? 'D' : 'S', about.st_ino, 0, "", 0, "", 0); \
        return done; \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(unlink, int, const char *);
    int done = real(path);
    if (!done && inside(path)) record('U', 0, 0, path, strlen(path), "", 0);
    return done;
}

#define MOVE(name, letter) \
    int name(const char *from, const char *to) { \
        REAL(name, int, const char *, const char *); \
        int done = real(from, to); \
        if (!done && inside(to)) record(letter, 0, 0, from, strlen(from), to, strlen(to)); \
        return done; \
    }
MOVE(rename, 'R')
MOVE(link, 'L')

/* Python's own ways to the same. */
int linkat(int a, const char *from, int b, const char *to, int flags) {
    REAL(linkat, int, int, const char *, int, const char *, int);
    int done = real(a, from, b, to, flags);
    if (!done && inside(to)) record('L', 0, 0, from, strlen(from), to, strlen(to));
    return done;
}

int unlinkat(int at, const char *path, int flags) {
    REAL(unlinkat, int, int, const char *, int);
    int done = real(at, path, flags);
    if (!done && inside(path)) record('U', 0, 0, path, strlen(path), "", 0);
    return done;
}

/* Called by the process itself: something has been reported as finished. */
void mark(const char *text) { record('M', 0, 0, text, strlen(text), "", 0); }
