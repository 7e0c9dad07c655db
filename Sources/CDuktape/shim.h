// Macros that Swift cannot import, and an allocator with a budget: Debian's Duktape has no limits of its own.
#ifndef REDDOT_CDUKTAPE_SHIM_H
#define REDDOT_CDUKTAPE_SHIM_H
#include <duktape.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct {
  size_t used;
  size_t limit;
} reddot_budget;

// Each block is preceded by its size, padded so that what follows stays aligned for any type.
#define REDDOT_HEADER 16

static inline void *reddot_alloc(void *udata, duk_size_t size) {
  reddot_budget *budget = (reddot_budget *)udata;
  if (size == 0) return NULL;
  if (size > budget->limit || budget->used > budget->limit - size) return NULL;
  char *block = (char *)malloc(size + REDDOT_HEADER);
  if (block == NULL) return NULL;
  *(size_t *)block = size;
  budget->used += size;
  return block + REDDOT_HEADER;
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
  void *moved = reddot_alloc(udata, size);
  if (moved == NULL) return NULL;
  size_t old = *(size_t *)((char *)ptr - REDDOT_HEADER);
  memcpy(moved, ptr, old < size ? old : size);
  reddot_free(udata, ptr);
  return moved;
}

// Out of memory in the middle of the engine's own work: there is nothing to return to.
static inline void reddot_fatal(void *udata, const char *msg) {
  (void)udata;
  (void)msg;
  _exit(70);
}

static inline duk_context *reddot_create(reddot_budget *budget) {
  return duk_create_heap(reddot_alloc, reddot_realloc, reddot_free, budget, reddot_fatal);
}

// 0 where it ran; the result, or what was thrown, is on top of the stack as text either way.
static inline int reddot_eval(duk_context *ctx, const char *source, size_t length) {
  int failed = duk_peval_lstring(ctx, source, length);
  duk_safe_to_string(ctx, -1);
  return failed;
}

static inline const char *reddot_result(duk_context *ctx, size_t *length) {
  return duk_get_lstring(ctx, -1, length);
}

static inline void reddot_pop(duk_context *ctx) { duk_pop(ctx); }

// No new files, no processes, no core dumps; the standard streams stay.
static inline void reddot_confine(void) {
  struct rlimit none = {0, 0};
  struct rlimit streams = {3, 3};
  setrlimit(RLIMIT_FSIZE, &none);
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_NPROC, &none);
  setrlimit(RLIMIT_NOFILE, &streams);
  signal(SIGPROF, SIG_DFL);
}

// Processor time after which the process dies by SIGPROF; 0 disarms.
static inline void reddot_arm(long milliseconds) {
  struct itimerval timer;
  memset(&timer, 0, sizeof timer);
  timer.it_value.tv_sec = milliseconds / 1000;
  timer.it_value.tv_usec = (milliseconds % 1000) * 1000;
  setitimer(ITIMER_PROF, &timer, NULL);
}
#endif
