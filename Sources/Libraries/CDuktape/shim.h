// Macros that Swift cannot import, and an allocator with a limit: Debian's Duktape has none.
#ifndef REDDOT_CDUKTAPE_SHIM_H
#define REDDOT_CDUKTAPE_SHIM_H
#include <duktape.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

typedef struct {
  size_t used;
  size_t limit;
  // The size of the last request that failed, and how often in a row.
  size_t refused;
  int refusals;
} reddot_budget;

// The engine collects garbage and retries, ten times at most. After that the script would get an exception, which
// it could catch to continue: the process ends here instead.
#define REDDOT_REFUSALS 10
#define REDDOT_OUT_OF_MEMORY 70

// Each block is preceded by its size, padded so that what follows stays aligned for any type.
#define REDDOT_HEADER 16

// Whether a block of `old` bytes may be replaced by one of this size. A failure of the system counts too.
static inline char *reddot_grant(reddot_budget *budget, char *block, size_t old, size_t size) {
  char *moved = NULL;
  if (size <= budget->limit && budget->used - old <= budget->limit - size)
    moved = (char *)realloc(block, size + REDDOT_HEADER);
  if (moved == NULL) {
    budget->refusals = size == budget->refused ? budget->refusals + 1 : 1;
    budget->refused = size;
    if (budget->refusals > REDDOT_REFUSALS) _exit(REDDOT_OUT_OF_MEMORY);
    return NULL;
  }
  if (size == budget->refused) budget->refused = 0;
  *(size_t *)moved = size;
  budget->used = budget->used - old + size;
  return moved + REDDOT_HEADER;
}

static inline void *reddot_alloc(void *udata, duk_size_t size) {
  return size == 0 ? NULL : reddot_grant((reddot_budget *)udata, NULL, 0, size);
}

static inline void reddot_free(void *udata, void *ptr) {
  if (ptr == NULL) return;
  char *block = (char *)ptr - REDDOT_HEADER;
  ((reddot_budget *)udata)->used -= *(size_t *)block;
  free(block);
}

static inline void *reddot_realloc(void *udata, void *ptr, duk_size_t size) {
  if (ptr == NULL) return reddot_alloc(udata, size);
  if (size == 0) {
    reddot_free(udata, ptr);
    return NULL;
  }
  char *block = (char *)ptr - REDDOT_HEADER;
  return reddot_grant((reddot_budget *)udata, block, *(size_t *)block, size);
}

// Out of memory inside the engine, which cannot continue.
static inline void reddot_fatal(void *udata, const char *msg) {
  (void)udata;
  (void)msg;
  _exit(REDDOT_OUT_OF_MEMORY);
}

static inline duk_context *reddot_create(reddot_budget *budget) {
  return duk_create_heap(reddot_alloc, reddot_realloc, reddot_free, budget, reddot_fatal);
}

// 0 on success; the result or the exception is on top of the stack as text.
static inline int reddot_eval(duk_context *ctx, const char *source, size_t length) {
  int failed = duk_peval_lstring(ctx, source, length);
  duk_safe_to_string(ctx, -1);
  return failed;
}

static inline const char *reddot_result(duk_context *ctx, size_t *length) {
  return duk_get_lstring(ctx, -1, length);
}

static inline void reddot_pop(duk_context *ctx) { duk_pop(ctx); }

// The mapped memory of the process in bytes; 0 if the system does not tell.
static inline size_t reddot_mapped(void) {
  char text[64];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return 0;
  text[count] = 0;
  return (size_t)strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

static inline void reddot_limit(int resource, rlim_t limit) {
  struct rlimit both = {limit, limit};
  setrlimit(resource, &both);
}

// Closes inherited descriptors, and forbids new files, processes, core dumps, and more than `room` bytes of address
// space beyond the currently mapped memory. The standard streams stay open.
static inline void reddot_confine(size_t room) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3, ~0U, 0) != 0)
#endif
    for (int file = 3; file < 1024; file++) close(file);
  size_t mapped = reddot_mapped();
  if (mapped > 0) reddot_limit(RLIMIT_AS, (rlim_t)(mapped + room));
  reddot_limit(RLIMIT_FSIZE, 0);
  reddot_limit(RLIMIT_CORE, 0);
  reddot_limit(RLIMIT_NPROC, 0);
  reddot_limit(RLIMIT_NOFILE, 3);
  signal(SIGPROF, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// Processor time after which SIGPROF ends the process; 0 disables the limit.
static inline void reddot_arm(long milliseconds) {
  struct itimerval timer;
  memset(&timer, 0, sizeof timer);
  timer.it_value.tv_sec = milliseconds / 1000;
  timer.it_value.tv_usec = (milliseconds % 1000) * 1000;
  setitimer(ITIMER_PROF, &timer, NULL);
}
#endif
