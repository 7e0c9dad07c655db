// What threads, the loop of the main thread, the timers of tasks, the start of programs and the files of a place need from the
// system and is not in a module of Swift.
#ifndef REDDOT_CTHREADS_SHIM_H
#define REDDOT_CTHREADS_SHIM_H
#include <pthread.h>
#include <stddef.h>

// Starts a thread that nobody joins; returns an errno.
static inline int ct_start_thread(size_t stack_bytes, void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nonnull context) {
  pthread_attr_t attributes;
  int code = pthread_attr_init(&attributes);
  if (code != 0) return code;
  pthread_t thread;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  code = pthread_create(&thread, &attributes, (void *(*)(void *))body, context);
  pthread_attr_destroy(&attributes);
  return code;
}

#ifdef __APPLE__
static inline void ct_name_thread(const char *_Nonnull name) { pthread_setname_np(name); }
#else
// In pthread.h for GNU sources only.
int pthread_setname_np(pthread_t thread, const char *name);
static inline void ct_name_thread(const char *_Nonnull name) { pthread_setname_np(pthread_self(), name); }
#endif

#ifdef __linux__
#include <sys/timerfd.h>
#include <time.h>

// Dispatch's main queue for a loop of another kind, as CoreFoundation's: a descriptor that is readable while work waits,
// and a function that does this work on the main thread. In no header that is installed.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

// A descriptor of a child process that can be read once that has ended: pidfd_open(2), which glibc has since 2.36.
#include <sys/syscall.h>
long syscall(long number, ...);
static inline int ct_open_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// glibc 2.29 and 2.34; spawn.h has them for GNU sources only.
int posix_spawn_file_actions_addchdir_np(void *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);
// glibc 2.28, for GNU sources only; flag 1, RENAME_NOREPLACE: only where there is nothing of the new name.
int renameat2(int old_folder, const char *old, int new_folder, const char *new_name, unsigned int flags);

static inline int ct_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }
static inline void ct_run_main_queue(void) { _dispatch_main_queue_callback_4CF(0); }
#endif
#endif
