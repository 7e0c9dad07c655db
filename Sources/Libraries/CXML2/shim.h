#ifndef REDDOT_CXML2_SHIM_H
#define REDDOT_CXML2_SHIM_H
#include <libxml/xmlversion.h>
// Debian builds libxml2 with ICU, whose headers would clash with those of Foundation's own ICU. Only
// pointers to structures that depend on them are used here.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#endif
