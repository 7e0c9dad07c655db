// A setting of SQLite whose function takes a variable number of arguments, which Swift cannot call.
#ifndef REDDOT_CSQLITE_SHIM_H
#define REDDOT_CSQLITE_SHIM_H
#include <sqlite3.h>

// Before the first connection of the process; SQLITE_MISUSE afterwards.
static inline int cs_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
#endif
