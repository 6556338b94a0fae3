/*
 * Preloaded into a JVM, lets timed waits end only at ticks of 15.6 ms, as on Windows.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#define TICK_NANOS 15625000LL
#define SECOND_NANOS 1000000000LL

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
    static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!real) {
        real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    }
    if (!real) {
        real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    }
    long long nanos = until->tv_sec * SECOND_NANOS + until->tv_nsec;
    nanos = (nanos / TICK_NANOS + 1) * TICK_NANOS;
    struct timespec later = {.tv_sec = nanos / SECOND_NANOS, .tv_nsec = nanos % SECOND_NANOS};
    return real(cond, mutex, &later);
}
