// Wide characters come only with this define; macros and variadic functions that Swift cannot
// import are wrapped below.
#ifndef REDDOT_CNCURSES_SHIM_H
#define REDDOT_CNCURSES_SHIM_H
#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <term.h>
#endif
