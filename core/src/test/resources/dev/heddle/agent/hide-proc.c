/*
 * Preloaded into a JVM, hides files under /proc whose path contains $HIDE: what sandboxes and hardened kernels do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_hidden(const char *path) {
    const char *part = getenv("HIDE");
    return part && path && strncmp(path, "/proc/", 6) == 0 && strstr(path, part);
}

#define DEFINE_OPEN(name)                                                \
    int name(const char *path, int flags, ...) {                         \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);   \
        va_list rest;                                                    \
        va_start(rest, flags);                                           \
        int mode = va_arg(rest, int);                                    \
        va_end(rest);                                                    \
        if (is_hidden(path)) {                                           \
            errno = ENOENT;                                              \
            return -1;                                                   \
        }                                                                \
        return real(path, flags, mode);                                  \
    }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)

int access(const char *path, int mode) {
    int (*real)(const char *, int) = dlsym(RTLD_NEXT, "access");
    if (is_hidden(path)) {
        errno = ENOENT;
        return -1;
    }
    return real(path, mode);
}

char *realpath(const char *path, char *resolved) {
    char *(*real)(const char *, char *) = dlsym(RTLD_NEXT, "realpath");
    if (is_hidden(path)) {
        errno = ENOENT;
        return NULL;
    }
    return real(path, resolved);
}

ssize_t readlink(const char *path, char *buffer, size_t size) {
    ssize_t (*real)(const char *, char *, size_t) = dlsym(RTLD_NEXT, "readlink");
    if (is_hidden(path)) {
        errno = ENOENT;
        return -1;
    }
    return real(path, buffer, size);
}
