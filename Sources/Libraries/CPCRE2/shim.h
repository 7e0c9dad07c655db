#ifndef REDDOT_CPCRE2_SHIM_H
#define REDDOT_CPCRE2_SHIM_H
// The header wants to know which of its libraries is meant: that for UTF-8.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
