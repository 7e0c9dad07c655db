#ifndef REDDOT_CXML2_SHIM_H
#define REDDOT_CXML2_SHIM_H
#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#endif
