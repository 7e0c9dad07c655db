#ifndef REDDOT_CWORDS_H
#define REDDOT_CWORDS_H

#include <stddef.h>

/// The bytes of Resources/<language>.lproj/Localizable.strings at build time, and their number;
/// NULL and 0 if a language has no such file.
const unsigned char *_Nullable reddot_words(const char *_Nonnull language, size_t *_Nonnull count);

#endif
