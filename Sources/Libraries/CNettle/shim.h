#ifndef REDDOT_CNETTLE_SHIM_H
#define REDDOT_CNETTLE_SHIM_H
#include <nettle/chacha-poly1305.h>
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#endif
