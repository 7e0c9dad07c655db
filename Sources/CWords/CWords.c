#include "CWords.h"

#include <string.h>

// Standard since C23; clang has it in every language mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char en[] = {
#embed "../../Resources/en.lproj/Localizable.strings"
};

static const unsigned char hi[] = {
#embed "../../Resources/hi.lproj/Localizable.strings"
};

static const unsigned char zh_hans[] = {
#embed "../../Resources/zh-Hans.lproj/Localizable.strings"
};

static const unsigned char zh_hant[] = {
#embed "../../Resources/zh-Hant.lproj/Localizable.strings"
};

static const struct {
  const char *language;
  const unsigned char *bytes;
  size_t count;
} files[] = {
    {"en", en, sizeof en},
    {"hi", hi, sizeof hi},
    {"zh-Hans", zh_hans, sizeof zh_hans},
    {"zh-Hant", zh_hant, sizeof zh_hant},
};

const unsigned char *reddot_words(const char *language, size_t *count) {
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (strcmp(files[i].language, language) == 0) {
      *count = files[i].count;
      return files[i].bytes;
    }
  }
  *count = 0;
  return NULL;
}
