#ifndef REDDOT_CNETTLE_SHIM_H
#define REDDOT_CNETTLE_SHIM_H
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#endif
