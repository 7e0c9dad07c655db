#ifndef REDDOT_CZLIB_SHIM_H
#define REDDOT_CZLIB_SHIM_H
#include <zlib.h>

// `inflateInit2` is a macro, which Swift cannot call.
static inline int reddot_inflateInit2(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}
#endif
