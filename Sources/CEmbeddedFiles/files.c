#include "CEmbeddedFiles.h"
#include <string.h>

// Clang supports C23's #embed in every standard, but warns about it.
#pragma clang diagnostic ignored "-Wc23-extensions"

// All files are texts without zero bytes, so a zero byte marks the end of each.
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
    {"studio/enter.js", (const unsigned char[]){
#embed "../Studio/Page/enter.js" suffix(, 0)
    }},
    {"studio/icon.svg", (const unsigned char[]){
#embed "../Studio/Page/icon.svg" suffix(, 0)
    }},
    {"studio/index.html", (const unsigned char[]){
#embed "../Studio/Page/index.html" suffix(, 0)
    }},
    {"studio/main.js", (const unsigned char[]){
#embed "../Studio/Page/main.js" suffix(, 0)
    }},
    {"studio/core/actions.js", (const unsigned char[]){
#embed "../Studio/Page/core/actions.js" suffix(, 0)
    }},
    {"studio/core/api.js", (const unsigned char[]){
#embed "../Studio/Page/core/api.js" suffix(, 0)
    }},
    {"studio/core/assets.js", (const unsigned char[]){
#embed "../Studio/Page/core/assets.js" suffix(, 0)
    }},
    {"studio/core/badge.js", (const unsigned char[]){
#embed "../Studio/Page/core/badge.js" suffix(, 0)
    }},
    {"studio/core/connection.js", (const unsigned char[]){
#embed "../Studio/Page/core/connection.js" suffix(, 0)
    }},
    {"studio/core/dialog.js", (const unsigned char[]){
#embed "../Studio/Page/core/dialog.js" suffix(, 0)
    }},
    {"studio/core/dom.js", (const unsigned char[]){
#embed "../Studio/Page/core/dom.js" suffix(, 0)
    }},
    {"studio/core/english.js", (const unsigned char[]){
#embed "../Studio/Page/core/english.js" suffix(, 0)
    }},
    {"studio/core/events.js", (const unsigned char[]){
#embed "../Studio/Page/core/events.js" suffix(, 0)
    }},
    {"studio/core/icons.js", (const unsigned char[]){
#embed "../Studio/Page/core/icons.js" suffix(, 0)
    }},
    {"studio/core/keys.js", (const unsigned char[]){
#embed "../Studio/Page/core/keys.js" suffix(, 0)
    }},
    {"studio/core/latest.js", (const unsigned char[]){
#embed "../Studio/Page/core/latest.js" suffix(, 0)
    }},
    {"studio/core/player.js", (const unsigned char[]){
#embed "../Studio/Page/core/player.js" suffix(, 0)
    }},
    {"studio/core/presetbutton.js", (const unsigned char[]){
#embed "../Studio/Page/core/presetbutton.js" suffix(, 0)
    }},
    {"studio/core/sharedstream.js", (const unsigned char[]){
#embed "../Studio/Page/core/sharedstream.js" suffix(, 0)
    }},
    {"studio/core/strings.js", (const unsigned char[]){
#embed "../Studio/Page/core/strings.js" suffix(, 0)
    }},
    {"studio/core/style.css", (const unsigned char[]){
#embed "../Studio/Page/core/style.css" suffix(, 0)
    }},
    {"studio/core/tray.js", (const unsigned char[]){
#embed "../Studio/Page/core/tray.js" suffix(, 0)
    }},
    {"studio/editor/copying.js", (const unsigned char[]){
#embed "../Studio/Page/editor/copying.js" suffix(, 0)
    }},
    {"studio/editor/crop.js", (const unsigned char[]){
#embed "../Studio/Page/editor/crop.js" suffix(, 0)
    }},
    {"studio/editor/curve.js", (const unsigned char[]){
#embed "../Studio/Page/editor/curve.js" suffix(, 0)
    }},
    {"studio/editor/dial.js", (const unsigned char[]){
#embed "../Studio/Page/editor/dial.js" suffix(, 0)
    }},
    {"studio/editor/draft.js", (const unsigned char[]){
#embed "../Studio/Page/editor/draft.js" suffix(, 0)
    }},
    {"studio/editor/editor.css", (const unsigned char[]){
#embed "../Studio/Page/editor/editor.css" suffix(, 0)
    }},
    {"studio/editor/editor.js", (const unsigned char[]){
#embed "../Studio/Page/editor/editor.js" suffix(, 0)
    }},
    {"studio/editor/effect.js", (const unsigned char[]){
#embed "../Studio/Page/editor/effect.js" suffix(, 0)
    }},
    {"studio/editor/engine.js", (const unsigned char[]){
#embed "../Studio/Page/editor/engine.js" suffix(, 0)
    }},
    {"studio/editor/groups.js", (const unsigned char[]){
#embed "../Studio/Page/editor/groups.js" suffix(, 0)
    }},
    {"studio/editor/histogram.js", (const unsigned char[]){
#embed "../Studio/Page/editor/histogram.js" suffix(, 0)
    }},
    {"studio/editor/motion.js", (const unsigned char[]){
#embed "../Studio/Page/editor/motion.js" suffix(, 0)
    }},
    {"studio/editor/notice.js", (const unsigned char[]){
#embed "../Studio/Page/editor/notice.js" suffix(, 0)
    }},
    {"studio/editor/panel.js", (const unsigned char[]){
#embed "../Studio/Page/editor/panel.js" suffix(, 0)
    }},
    {"studio/editor/picker.js", (const unsigned char[]){
#embed "../Studio/Page/editor/picker.js" suffix(, 0)
    }},
    {"studio/editor/playback.js", (const unsigned char[]){
#embed "../Studio/Page/editor/playback.js" suffix(, 0)
    }},
    {"studio/editor/preview.js", (const unsigned char[]){
#embed "../Studio/Page/editor/preview.js" suffix(, 0)
    }},
    {"studio/editor/proposals.js", (const unsigned char[]){
#embed "../Studio/Page/editor/proposals.js" suffix(, 0)
    }},
    {"studio/editor/saving.js", (const unsigned char[]){
#embed "../Studio/Page/editor/saving.js" suffix(, 0)
    }},
    {"studio/editor/session.js", (const unsigned char[]){
#embed "../Studio/Page/editor/session.js" suffix(, 0)
    }},
    {"studio/editor/shaders.js", (const unsigned char[]){
#embed "../Studio/Page/editor/shaders.js" suffix(, 0)
    }},
    {"studio/editor/slider.js", (const unsigned char[]){
#embed "../Studio/Page/editor/slider.js" suffix(, 0)
    }},
    {"studio/editor/stage.js", (const unsigned char[]){
#embed "../Studio/Page/editor/stage.js" suffix(, 0)
    }},
    {"studio/editor/tables.js", (const unsigned char[]){
#embed "../Studio/Page/editor/tables.js" suffix(, 0)
    }},
    {"studio/grid/albums.js", (const unsigned char[]){
#embed "../Studio/Page/grid/albums.js" suffix(, 0)
    }},
    {"studio/grid/grid.css", (const unsigned char[]){
#embed "../Studio/Page/grid/grid.css" suffix(, 0)
    }},
    {"studio/grid/grid.js", (const unsigned char[]){
#embed "../Studio/Page/grid/grid.js" suffix(, 0)
    }},
    {"studio/grid/layout.js", (const unsigned char[]){
#embed "../Studio/Page/grid/layout.js" suffix(, 0)
    }},
    {"studio/grid/presetdialog.js", (const unsigned char[]){
#embed "../Studio/Page/grid/presetdialog.js" suffix(, 0)
    }},
    {"studio/grid/search.js", (const unsigned char[]){
#embed "../Studio/Page/grid/search.js" suffix(, 0)
    }},
    {"studio/grid/selection.js", (const unsigned char[]){
#embed "../Studio/Page/grid/selection.js" suffix(, 0)
    }},
    {"studio/grid/side.js", (const unsigned char[]){
#embed "../Studio/Page/grid/side.js" suffix(, 0)
    }},
    {"studio/grid/tile.js", (const unsigned char[]){
#embed "../Studio/Page/grid/tile.js" suffix(, 0)
    }},
    {"studio/share/share.css", (const unsigned char[]){
#embed "../Studio/Page/share/share.css" suffix(, 0)
    }},
    {"studio/share/share.js", (const unsigned char[]){
#embed "../Studio/Page/share/share.js" suffix(, 0)
    }},
    {"studio/viewer/bar.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/bar.js" suffix(, 0)
    }},
    {"studio/viewer/compare.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/compare.js" suffix(, 0)
    }},
    {"studio/viewer/facts.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/facts.js" suffix(, 0)
    }},
    {"studio/viewer/picture.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/picture.js" suffix(, 0)
    }},
    {"studio/viewer/presets.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/presets.js" suffix(, 0)
    }},
    {"studio/viewer/removals.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/removals.js" suffix(, 0)
    }},
    {"studio/viewer/scrubber.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/scrubber.js" suffix(, 0)
    }},
    {"studio/viewer/versions.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/versions.js" suffix(, 0)
    }},
    {"studio/viewer/viewer.css", (const unsigned char[]){
#embed "../Studio/Page/viewer/viewer.css" suffix(, 0)
    }},
    {"studio/viewer/viewer.js", (const unsigned char[]){
#embed "../Studio/Page/viewer/viewer.js" suffix(, 0)
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
