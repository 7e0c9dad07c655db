#ifndef REDDOT_CWIDTH_SHIM_H
#define REDDOT_CWIDTH_SHIM_H
#include <wchar.h>

// glibc hides wcwidth behind a feature macro, which the importer does not set.
static inline int cw_columns(wchar_t character) {
  extern int wcwidth(wchar_t);
  return wcwidth(character);
}
#endif
