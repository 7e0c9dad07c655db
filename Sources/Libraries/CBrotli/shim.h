#ifndef REDDOT_CBROTLI_SHIM_H
#define REDDOT_CBROTLI_SHIM_H
#include <brotli/decode.h>
#endif
