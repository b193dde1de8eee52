#include "CEmbeddedFiles.h"
#include <string.h>

// Clang knows #embed of C23 in every standard, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

// All of them are texts, which hold no zero byte: one ends each.
static const struct {
  const char *name;
  const unsigned char *bytes;
} files[] = {
    {"preview/preview-asset.html", (const unsigned char[]){
#embed "../Workflows/Export/Page/preview-asset.html" suffix(, 0)
    }},
    {"preview/preview.css", (const unsigned char[]){
#embed "../Workflows/Export/Page/preview.css" suffix(, 0)
    }},
    {"preview/preview.html", (const unsigned char[]){
#embed "../Workflows/Export/Page/preview.html" suffix(, 0)
    }},
    {"preview/preview.js", (const unsigned char[]){
#embed "../Workflows/Export/Page/preview.js" suffix(, 0)
    }},
    {"presets/natural.json", (const unsigned char[]){
#embed "../../Presets/natural.json" suffix(, 0)
    }},
    {"presets/vivid.json", (const unsigned char[]){
#embed "../../Presets/vivid.json" suffix(, 0)
    }},
    {"presets/warm.json", (const unsigned char[]){
#embed "../../Presets/warm.json" suffix(, 0)
    }},
    {"presets/cool.json", (const unsigned char[]){
#embed "../../Presets/cool.json" suffix(, 0)
    }},
    {"presets/faded.json", (const unsigned char[]){
#embed "../../Presets/faded.json" suffix(, 0)
    }},
    {"presets/matte.json", (const unsigned char[]){
#embed "../../Presets/matte.json" suffix(, 0)
    }},
    {"presets/high-contrast.json", (const unsigned char[]){
#embed "../../Presets/high-contrast.json" suffix(, 0)
    }},
    {"presets/soft.json", (const unsigned char[]){
#embed "../../Presets/soft.json" suffix(, 0)
    }},
    {"presets/backlight.json", (const unsigned char[]){
#embed "../../Presets/backlight.json" suffix(, 0)
    }},
    {"presets/landscape.json", (const unsigned char[]){
#embed "../../Presets/landscape.json" suffix(, 0)
    }},
    {"presets/clear-air.json", (const unsigned char[]){
#embed "../../Presets/clear-air.json" suffix(, 0)
    }},
    {"presets/deep-blue.json", (const unsigned char[]){
#embed "../../Presets/deep-blue.json" suffix(, 0)
    }},
    {"presets/autumn.json", (const unsigned char[]){
#embed "../../Presets/autumn.json" suffix(, 0)
    }},
    {"presets/skin.json", (const unsigned char[]){
#embed "../../Presets/skin.json" suffix(, 0)
    }},
    {"presets/food.json", (const unsigned char[]){
#embed "../../Presets/food.json" suffix(, 0)
    }},
    {"presets/night.json", (const unsigned char[]){
#embed "../../Presets/night.json" suffix(, 0)
    }},
    {"presets/golden-hour.json", (const unsigned char[]){
#embed "../../Presets/golden-hour.json" suffix(, 0)
    }},
    {"presets/blue-hour.json", (const unsigned char[]){
#embed "../../Presets/blue-hour.json" suffix(, 0)
    }},
    {"presets/slide-film.json", (const unsigned char[]){
#embed "../../Presets/slide-film.json" suffix(, 0)
    }},
    {"presets/cinema.json", (const unsigned char[]){
#embed "../../Presets/cinema.json" suffix(, 0)
    }},
    {"presets/mono.json", (const unsigned char[]){
#embed "../../Presets/mono.json" suffix(, 0)
    }},
    {"presets/mono-soft.json", (const unsigned char[]){
#embed "../../Presets/mono-soft.json" suffix(, 0)
    }},
    {"presets/mono-dramatic.json", (const unsigned char[]){
#embed "../../Presets/mono-dramatic.json" suffix(, 0)
    }},
    {"presets/mono-red-filter.json", (const unsigned char[]){
#embed "../../Presets/mono-red-filter.json" suffix(, 0)
    }},
    {"presets/sepia.json", (const unsigned char[]){
#embed "../../Presets/sepia.json" suffix(, 0)
    }},
    {"studio/actions.js", (const unsigned char[]){
#embed "../Studio/Page/actions.js" suffix(, 0)
    }},
    {"studio/albums.js", (const unsigned char[]){
#embed "../Studio/Page/albums.js" suffix(, 0)
    }},
    {"studio/api.js", (const unsigned char[]){
#embed "../Studio/Page/api.js" suffix(, 0)
    }},
    {"studio/assets.js", (const unsigned char[]){
#embed "../Studio/Page/assets.js" suffix(, 0)
    }},
    {"studio/compare.js", (const unsigned char[]){
#embed "../Studio/Page/compare.js" suffix(, 0)
    }},
    {"studio/dialog.js", (const unsigned char[]){
#embed "../Studio/Page/dialog.js" suffix(, 0)
    }},
    {"studio/dom.js", (const unsigned char[]){
#embed "../Studio/Page/dom.js" suffix(, 0)
    }},
    {"studio/editcrop.js", (const unsigned char[]){
#embed "../Studio/Page/editcrop.js" suffix(, 0)
    }},
    {"studio/editcurve.js", (const unsigned char[]){
#embed "../Studio/Page/editcurve.js" suffix(, 0)
    }},
    {"studio/editdial.js", (const unsigned char[]){
#embed "../Studio/Page/editdial.js" suffix(, 0)
    }},
    {"studio/editdraft.js", (const unsigned char[]){
#embed "../Studio/Page/editdraft.js" suffix(, 0)
    }},
    {"studio/editeffect.js", (const unsigned char[]){
#embed "../Studio/Page/editeffect.js" suffix(, 0)
    }},
    {"studio/editengine.js", (const unsigned char[]){
#embed "../Studio/Page/editengine.js" suffix(, 0)
    }},
    {"studio/editmotion.js", (const unsigned char[]){
#embed "../Studio/Page/editmotion.js" suffix(, 0)
    }},
    {"studio/editor.css", (const unsigned char[]){
#embed "../Studio/Page/editor.css" suffix(, 0)
    }},
    {"studio/editor.js", (const unsigned char[]){
#embed "../Studio/Page/editor.js" suffix(, 0)
    }},
    {"studio/editpanel.js", (const unsigned char[]){
#embed "../Studio/Page/editpanel.js" suffix(, 0)
    }},
    {"studio/editpreview.js", (const unsigned char[]){
#embed "../Studio/Page/editpreview.js" suffix(, 0)
    }},
    {"studio/editslider.js", (const unsigned char[]){
#embed "../Studio/Page/editslider.js" suffix(, 0)
    }},
    {"studio/edittables.js", (const unsigned char[]){
#embed "../Studio/Page/edittables.js" suffix(, 0)
    }},
    {"studio/english.js", (const unsigned char[]){
#embed "../Studio/Page/english.js" suffix(, 0)
    }},
    {"studio/enter.js", (const unsigned char[]){
#embed "../Studio/Page/enter.js" suffix(, 0)
    }},
    {"studio/events.js", (const unsigned char[]){
#embed "../Studio/Page/events.js" suffix(, 0)
    }},
    {"studio/facts.js", (const unsigned char[]){
#embed "../Studio/Page/facts.js" suffix(, 0)
    }},
    {"studio/grid.js", (const unsigned char[]){
#embed "../Studio/Page/grid.js" suffix(, 0)
    }},
    {"studio/icon.svg", (const unsigned char[]){
#embed "../Studio/Page/icon.svg" suffix(, 0)
    }},
    {"studio/index.html", (const unsigned char[]){
#embed "../Studio/Page/index.html" suffix(, 0)
    }},
    {"studio/keys.js", (const unsigned char[]){
#embed "../Studio/Page/keys.js" suffix(, 0)
    }},
    {"studio/layout.js", (const unsigned char[]){
#embed "../Studio/Page/layout.js" suffix(, 0)
    }},
    {"studio/livephoto.js", (const unsigned char[]){
#embed "../Studio/Page/livephoto.js" suffix(, 0)
    }},
    {"studio/main.js", (const unsigned char[]){
#embed "../Studio/Page/main.js" suffix(, 0)
    }},
    {"studio/presetdialog.js", (const unsigned char[]){
#embed "../Studio/Page/presetdialog.js" suffix(, 0)
    }},
    {"studio/presets.js", (const unsigned char[]){
#embed "../Studio/Page/presets.js" suffix(, 0)
    }},
    {"studio/removals.js", (const unsigned char[]){
#embed "../Studio/Page/removals.js" suffix(, 0)
    }},
    {"studio/scrubber.js", (const unsigned char[]){
#embed "../Studio/Page/scrubber.js" suffix(, 0)
    }},
    {"studio/search.js", (const unsigned char[]){
#embed "../Studio/Page/search.js" suffix(, 0)
    }},
    {"studio/selection.js", (const unsigned char[]){
#embed "../Studio/Page/selection.js" suffix(, 0)
    }},
    {"studio/share.js", (const unsigned char[]){
#embed "../Studio/Page/share.js" suffix(, 0)
    }},
    {"studio/sharedstream.js", (const unsigned char[]){
#embed "../Studio/Page/sharedstream.js" suffix(, 0)
    }},
    {"studio/strings.js", (const unsigned char[]){
#embed "../Studio/Page/strings.js" suffix(, 0)
    }},
    {"studio/style.css", (const unsigned char[]){
#embed "../Studio/Page/style.css" suffix(, 0)
    }},
    {"studio/tile.js", (const unsigned char[]){
#embed "../Studio/Page/tile.js" suffix(, 0)
    }},
    {"studio/tray.js", (const unsigned char[]){
#embed "../Studio/Page/tray.js" suffix(, 0)
    }},
    {"studio/versions.js", (const unsigned char[]){
#embed "../Studio/Page/versions.js" suffix(, 0)
    }},
    {"studio/viewer.js", (const unsigned char[]){
#embed "../Studio/Page/viewer.js" suffix(, 0)
    }},
};

const unsigned char *liveedit_embedded_file(const char *name, long *count) {
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    if (strcmp(files[index].name, name) == 0) {
      *count = (long)strlen((const char *)files[index].bytes);
      return files[index].bytes;
    }
  }
  return NULL;
}
