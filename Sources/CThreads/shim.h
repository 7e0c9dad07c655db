// What the loop of the main thread, the timers of tasks and the start of programs need from the system and is not in a
// module of Swift.
#ifndef REDDOT_CTHREADS_SHIM_H
#define REDDOT_CTHREADS_SHIM_H
#ifdef __linux__
#include <sys/timerfd.h>
#include <time.h>

// Dispatch's main queue for a loop of another kind, as CoreFoundation's: a descriptor that is readable while work waits,
// and a function that does this work on the main thread. In no header that is installed.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

// glibc 2.29 and 2.34; spawn.h has them for GNU sources only.
int posix_spawn_file_actions_addchdir_np(void *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);

static inline int ct_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }
static inline void ct_run_main_queue(void) { _dispatch_main_queue_callback_4CF(0); }
#endif
#endif
