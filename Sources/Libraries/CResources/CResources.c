#include "CResources.h"

#include <string.h>

// Standard since C23; clang has it in every language mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char en[] = {
#embed "../../../Resources/en.lproj/Localizable.strings"
};

static const unsigned char hi[] = {
#embed "../../../Resources/hi.lproj/Localizable.strings"
};

static const unsigned char zh_hans[] = {
#embed "../../../Resources/zh-Hans.lproj/Localizable.strings"
};

static const unsigned char zh_hant[] = {
#embed "../../../Resources/zh-Hant.lproj/Localizable.strings"
};

static const unsigned char html_entities[] = {
#embed "../../../Resources/tables/html-entities.txt"
};

static const unsigned char ntfy_emoji[] = {
#embed "../../../Resources/tables/ntfy-emoji.txt"
};

static const unsigned char windows_zones[] = {
#embed "../../../Resources/tables/windows-zones.txt"
};

static const unsigned char page_commands[] = {
#embed "../../Programs/reddot/Documentation.docc/Commands.md"
};

static const unsigned char page_settings[] = {
#embed "../../Programs/reddot/Documentation.docc/Settings.md"
};

static const unsigned char page_keys[] = {
#embed "../../Programs/reddot/Documentation.docc/Keys.md"
};

static const unsigned char page_queries[] = {
#embed "../../Programs/reddot/Documentation.docc/Queries.md"
};

static const unsigned char page_services[] = {
#embed "../../Programs/reddot/Documentation.docc/Services.md"
};

static const unsigned char page_rules[] = {
#embed "../../Programs/reddot/Documentation.docc/Rules.md"
};

static const unsigned char page_formats[] = {
#embed "../../Programs/reddot/Documentation.docc/Formats.md"
};

static const unsigned char page_synchronisation[] = {
#embed "../../Programs/reddot/Documentation.docc/Synchronisation.md"
};

static const unsigned char page_hub[] = {
#embed "../../Programs/reddot/Documentation.docc/Hub.md"
};

static const unsigned char page_first_day[] = {
#embed "../../Programs/reddot/Documentation.docc/FirstDay.md"
};

static const unsigned char page_moving[] = {
#embed "../../Programs/reddot/Documentation.docc/Moving.md"
};

static const unsigned char page_phone[] = {
#embed "../../Programs/reddot/Documentation.docc/Phone.md"
};

static const unsigned char page_server[] = {
#embed "../../Programs/reddot/Documentation.docc/Server.md"
};

static const unsigned char page_stored[] = {
#embed "../../Programs/reddot/Documentation.docc/Stored.md"
};

static const unsigned char page_privacy[] = {
#embed "../../Programs/reddot/Documentation.docc/Privacy.md"
};

static const unsigned char page_troubleshooting[] = {
#embed "../../Programs/reddot/Documentation.docc/Troubleshooting.md"
};

static const unsigned char page_publisher[] = {
#embed "../../Programs/reddot/Documentation.docc/Publisher.md"
};

#ifdef REDDOT_COMMIT
static const char commit[] = REDDOT_COMMIT;
#endif

static const struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} files[] = {
    {"en", en, sizeof en},
    {"hi", hi, sizeof hi},
    {"zh-Hans", zh_hans, sizeof zh_hans},
    {"zh-Hant", zh_hant, sizeof zh_hant},
    {"html-entities", html_entities, sizeof html_entities},
    {"ntfy-emoji", ntfy_emoji, sizeof ntfy_emoji},
    {"windows-zones", windows_zones, sizeof windows_zones},
    {"Commands", page_commands, sizeof page_commands},
    {"Settings", page_settings, sizeof page_settings},
    {"Keys", page_keys, sizeof page_keys},
    {"Queries", page_queries, sizeof page_queries},
    {"Services", page_services, sizeof page_services},
    {"Rules", page_rules, sizeof page_rules},
    {"Formats", page_formats, sizeof page_formats},
    {"Synchronisation", page_synchronisation, sizeof page_synchronisation},
    {"Hub", page_hub, sizeof page_hub},
    {"FirstDay", page_first_day, sizeof page_first_day},
    {"Moving", page_moving, sizeof page_moving},
    {"Phone", page_phone, sizeof page_phone},
    {"Server", page_server, sizeof page_server},
    {"Stored", page_stored, sizeof page_stored},
    {"Privacy", page_privacy, sizeof page_privacy},
    {"Troubleshooting", page_troubleshooting, sizeof page_troubleshooting},
    {"Publisher", page_publisher, sizeof page_publisher},
#ifdef REDDOT_COMMIT
    {"commit", (const unsigned char *)commit, sizeof commit - 1},
#endif
};

const unsigned char *reddot_words(const char *name, size_t *count) {
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (strcmp(files[i].name, name) == 0) {
      *count = files[i].count;
      return files[i].bytes;
    }
  }
  *count = 0;
  return NULL;
}
