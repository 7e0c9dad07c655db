#ifndef REDDOT_CMD4C_SHIM_H
#define REDDOT_CMD4C_SHIM_H
#include <md4c.h>
#endif
