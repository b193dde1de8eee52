#include "CLanguages.h"
#include <string.h>

// Clang supports C23's #embed in every standard, but warns about it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char german[] = {
#embed "de.mo"
};
static const unsigned char spanish[] = {
#embed "es.mo"
};
static const unsigned char italian[] = {
#embed "it.mo"
};
static const unsigned char russian[] = {
#embed "ru.mo"
};

static const struct {
  const char *language;
  const unsigned char *bytes;
  long count;
} catalogues[] = {
    {"de", german, sizeof german},
    {"es", spanish, sizeof spanish},
    {"it", italian, sizeof italian},
    {"ru", russian, sizeof russian},
};

const unsigned char *liveedit_catalogue(const char *language, long *count) {
  for (size_t index = 0; index < sizeof catalogues / sizeof *catalogues; index++) {
    if (strcmp(catalogues[index].language, language) == 0) {
      *count = catalogues[index].count;
      return catalogues[index].bytes;
    }
  }
  return NULL;
}
