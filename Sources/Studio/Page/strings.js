/** Every sentence and word of the page. Numbers and names stand in braces. */
const ENGLISH = {
  "app.name": "liveedit",
  "grid.label": "Photos and movies",
  "grid.loading": "Looking through the folders …",
  "grid.empty": "There is no photo and no movie here.",
  "grid.none": "Nothing is like that. Change the search, or clear it.",
  "grid.noDate": "Without a date",
  "grid.count.one": "1 item",
  "grid.count.other": "{count} items",
  "years.label": "Years",
  "kind.live": "Live Photo",
  "kind.photo": "Photo",
  "kind.movie": "Movie",
  "kind.motionPhoto": "Motion Photo",
  "tile.edited": "edited",
  "tile.favourite": "favourite",
  "tile.hidden": "hidden",
  "tile.burst": "burst of {count}",
  "badge.live": "LIVE",
  "badge.motion": "MOTION",
  "search.label": "Search",
  "search.placeholder": "Search: camera contains iphone and date > 2023",
  "search.clear": "Clear the search",
  "filters.label": "Show only",
  "filter.live": "Live Photos",
  "filter.photo": "Photos",
  "filter.movie": "Movies",
  "filter.edited": "Edited",
  "filter.favourite": "Favourites",
  "filter.place": "With a place",
  "filter.camera": "Camera",
  "filter.hidden": "Hidden ones too",
  "side.open": "Albums and filters",
  "albums.label": "Albums",
  "albums.all": "All photos",
  "albums.none": "No album yet. Select photos and choose “Album”.",
  "albums.add.title": "Add to an album",
  "albums.new": "New album",
  "albums.name": "Name of the album",
  "albums.add": "Add",
  "albums.added": "{count} added to {album}.",
  "albums.remove": "Remove from {album}",
  "albums.removed": "{count} removed from {album}.",
  "selection.label": "Selected photos",
  "selection.count.one": "1 selected",
  "selection.count.other": "{count} selected",
  "selection.clear": "Clear the selection",
  "action.back": "Back to all photos",
  "action.close": "Close",
  "action.previous": "Previous",
  "action.next": "Next",
  "action.turnRight": "Turn right",
  "action.turnLeft": "Turn left",
  "action.flipHorizontal": "Mirror",
  "action.auto": "Auto",
  "action.presets": "Presets",
  "action.versions": "Versions",
  "action.revert": "Revert",
  "action.redo": "Redo",
  "action.compare": "Before and after",
  "action.favourite": "Favourite",
  "action.unfavourite": "No favourite",
  "action.hide": "Hide",
  "action.unhide": "Show again",
  "action.album": "Album",
  "action.share": "Share",
  "action.info": "Facts",
  "action.keys": "Keys",
  "action.quit": "Quit liveedit",
  "action.cancel": "Cancel",
  "action.dismiss": "Dismiss",
  "action.copyEdit": "Copy edit",
  "action.pasteEdit": "Paste edit",
  "action.play": "Play",
  "action.sound": "Sound on",
  "action.mute": "Sound off",
  "edit.copied": "The edit of {name} is copied.",
  "preset.applying": "Applies {preset} …",
  "preset.intensity": "Intensity",
  "preset.removes": "This edit will leave out:",
  "viewer.region": "One large",
  "viewer.before": "Before",
  "viewer.after": "After",
  "viewer.divider": "Place of the line between before and after",
  "viewer.time": "Time in the movie",
  "viewer.keyPhoto": "Key photo at {time}",
  "viewer.loading": "The picture is being made …",
  "version.original": "Original",
  "version.number": "Version {number}",
  "facts.title": "Facts",
  "facts.file": "Files",
  "facts.date": "Taken",
  "facts.size": "Size",
  "facts.pixels": "Pixels",
  "facts.duration": "Length",
  "facts.camera": "Camera",
  "facts.place": "Place",
  "facts.colours": "Colours",
  "facts.video": "Video",
  "facts.identifier": "Ties photo and movie",
  "facts.check": "Check the pair",
  "facts.checking": "Every frame is looked at …",
  "facts.valid": "Photo and movie are sound and belong together.",
  "facts.invalid": "There is something wrong:",
  "facts.unverified": "Not all of it could be checked:",
  "share.title.one": "Share",
  "share.title.other": "Share {count} items",
  "share.as": "As",
  "share.pair": "Live Photo (photo and movie)",
  "share.still": "Still photo",
  "share.motion-photo": "Motion Photo for Android",
  "share.video": "Video for websites",
  "share.movie": "Movie as it is",
  "share.image": "Picture for websites",
  "share.withoutLocation": "Without the place",
  "share.place": "Says where it was taken: {place}.",
  "share.noPlace": "Says no place.",
  "share.placeLeft": "The place is left out.",
  "share.people": "Names in it: {names}.",
  "share.download": "Download",
  "share.folder": "Put into the folder",
  "share.making": "Makes the files …",
  "share.size": "{size} together.",
  "share.written": "Written: {names}.",
  "tray.label": "What is being done",
  "tray.done": "{done} of {total} done",
  "tray.failed": "{failed} failed",
  "tray.waiting": "waits",
  "tray.cancelled": "cancelled",
  "tray.interrupted": "liveedit was ended before this was. What was done is kept.",
  "keys.title": "Keys",
  "keys.arrows": "Move",
  "keys.space": "Select (in the grid), play (in the viewer)",
  "keys.open": "Open",
  "keys.escape": "Back",
  "keys.turn": "Turn right, left",
  "keys.flip": "Mirror, upside down",
  "keys.before": "Before, while held",
  "keys.preset": "Preset of the row",
  "keys.favourite": "Favourite",
  "keys.info": "Facts",
  "keys.revert": "Revert, redo",
  "keys.delete": "Hide",
  "keys.search": "Search",
  "keys.all": "Select all",
  "keys.share": "Share",
  "keys.help": "This list",
  "server.gone": "liveedit does not answer. Start “liveedit studio” again if it was ended: this page then goes on, or a new one opens. Nothing is lost.",
  "server.bye": "liveedit was ended. Start “liveedit studio” again to go on; what was done is kept.",
  "server.back": "liveedit answers again.",
  "server.readOnly": "This tab may only look: open the address that “liveedit studio” printed to edit.",
  "error.picture": "No picture can be made of it.",
  "error.movie": "The movie cannot be played.",
};

/** @type {Object<string, string>} */
let table = ENGLISH;

/**
 * The sentence of a name, with values put in. `count` chooses between `.one` and `.other` where there are both.
 * @param {string} name
 * @param {Object<string, any>} [values]
 */
export function t(name, values = {}) {
  const rule = "count" in values ? new Intl.PluralRules(language()).select(values.count) : "";
  const text = table[`${name}.${rule}`] ?? table[`${name}.other`] ?? table[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (_, key) => {
    const value = values[key];
    return typeof value === "number" ? new Intl.NumberFormat(language()).format(value) : String(value ?? "");
  });
}

/** The language of dates and numbers. */
export function language() { return navigator.language || "en"; }

/** `2024-05` as “May 2024”. */
export function month(text) {
  const date = new Date(`${text}-01T00:00:00`);
  return isNaN(date) ? text : new Intl.DateTimeFormat(language(), { month: "long", year: "numeric" }).format(date);
}

/** The time that the clock at the place showed, whatever zone this computer is in. */
export function moment(text) {
  const clock = new Date(`${text.slice(0, 19)}Z`);
  return isNaN(clock) ? text : new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(clock);
}

/** 5204321 as “5.2 MB”. */
export function bytes(count) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), 3);
  return new Intl.NumberFormat(language(), { style: "unit", unit: units[power], maximumFractionDigits: power > 0 ? 1 : 0 })
    .format(count / 1000 ** power);
}

/** 2.9 as “2.9 s”. */
export function seconds(count) {
  return new Intl.NumberFormat(language(), { style: "unit", unit: "second", maximumFractionDigits: 2 }).format(count);
}
