/*
 * The time of day of a program, BBX_CLOCK_MS milliseconds ahead of the machine's; a negative number turns it back. Loaded with LD_PRELOAD,
 * it turns Node, and with it the embedded store, and redis-server, which libfaketime does not. Clocks that only measure run as they are, and
 * the times of files stay the machine's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*machines)(clockid_t, struct timespec *);
static long long ahead_ms;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("BBX_CLOCK_MS");
  ahead_ms = text ? atoll(text) : 0;
  machines = dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t id, struct timespec *at) {
  if (machines == NULL) begin();
  int result = machines(id, at);
  if (result != 0 || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return result;
  long long ns = at->tv_nsec + ahead_ms % 1000 * 1000000;
  at->tv_sec += ahead_ms / 1000 + ns / 1000000000;
  at->tv_nsec = ns % 1000000000;
  if (at->tv_nsec < 0) {
    at->tv_nsec += 1000000000;
    at->tv_sec--;
  }
  return 0;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}
