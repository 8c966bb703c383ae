/*
 * The time of day of a program, BBX_CLOCK_MS milliseconds ahead of the machine's; a negative number turns it back. Loaded with LD_PRELOAD,
 * it turns Node, and with it the embedded store, and redis-server, which libfaketime does not. Clocks that only measure run as they are, and
 * the times of files stay the machine's. With BBX_CLOCK_FILE the file has further milliseconds, and is read again ten times a second: a clock
 * that jumps while programs run.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define READ_AGAIN_MS 100

static int (*machines)(clockid_t, struct timespec *);
static long long ahead_ms;
static char file[4096];
static long long read_at_ms;
static long long jumped_ms;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("BBX_CLOCK_MS");
  ahead_ms = text ? atoll(text) : 0;
  const char *named = getenv("BBX_CLOCK_FILE");
  /* A copy, because redis-server writes its title over its environment; its allocator asks for the time before it can allocate. */
  if (named != NULL && file[0] == 0) strncpy(file, named, sizeof file - 1);
  machines = dlsym(RTLD_NEXT, "clock_gettime");
}

static long long jumped(void) {
  struct timespec now;
  if (file[0] == 0 || machines(CLOCK_MONOTONIC, &now) != 0) return 0;
  long long at_ms = now.tv_sec * 1000 + now.tv_nsec / 1000000;
  if (read_at_ms != 0 && at_ms - read_at_ms < READ_AGAIN_MS) return jumped_ms;
  read_at_ms = at_ms;
  char text[32] = "";
  int opened = open(file, O_RDONLY | O_CLOEXEC);
  if (opened < 0) return jumped_ms;
  if (read(opened, text, sizeof text - 1) > 0) jumped_ms = atoll(text);
  close(opened);
  return jumped_ms;
}

int clock_gettime(clockid_t id, struct timespec *at) {
  if (machines == NULL) begin();
  int result = machines(id, at);
  if (result != 0 || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return result;
  long long by_ms = ahead_ms + jumped();
  long long ns = at->tv_nsec + by_ms % 1000 * 1000000;
  at->tv_sec += by_ms / 1000 + ns / 1000000000;
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
