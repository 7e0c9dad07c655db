#ifndef REDDOT_CZSTD_SHIM_H
#define REDDOT_CZSTD_SHIM_H
#include <zstd.h>
#include <zstd_errors.h>
#endif
