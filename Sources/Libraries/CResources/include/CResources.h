#ifndef REDDOT_CWORDS_H
#define REDDOT_CWORDS_H

#include <stddef.h>

/// The bytes of a file at build time, and their number: of Resources/<name>.lproj/Localizable.strings, where the name is
/// a language, of Resources/tables/<name>.txt, or of a page of the manual, <name>.md; for "commit" the commit that was
/// built, if the build was given its name. NULL and 0 if it isn't embedded.
const unsigned char *_Nullable reddot_words(const char *_Nonnull name, size_t *_Nonnull count);

#endif
