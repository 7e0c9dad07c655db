#ifndef REDDOT_CPQ_SHIM_H
#define REDDOT_CPQ_SHIM_H
#include <libpq-fe.h>

// Macros of characters, which Swift does not import.
static const int reddot_pq_sqlstate = PG_DIAG_SQLSTATE;
static const int reddot_pq_message = PG_DIAG_MESSAGE_PRIMARY;
#endif
