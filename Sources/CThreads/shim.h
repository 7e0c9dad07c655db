// What the loop of the main thread and the timers of tasks need from the system and is not in a module of Swift.
#ifndef REDDOT_CTHREADS_SHIM_H
#define REDDOT_CTHREADS_SHIM_H
#ifdef __linux__
#include <sys/timerfd.h>
#include <time.h>

// Dispatch's main queue for a loop of another kind, as CoreFoundation's: a descriptor that is readable while work waits,
// and a function that does this work on the main thread. In no header that is installed.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

static inline int ct_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }
static inline void ct_run_main_queue(void) { _dispatch_main_queue_callback_4CF(0); }
#endif
#endif
