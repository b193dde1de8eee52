import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./strings.js";

/**
 * Returns whether a photo has a movie to play.
 * @param {import("./types").Asset} item
 */
export function isLive(item) { return item.kind === "live" || item.subtypes?.includes("motionPhoto"); }

/**
 * Returns the badge for the kind of an asset, shown in a corner of its picture; null for a plain photo.
 * @param {import("./types").Asset} item
 */
export function badge(item) {
  if (item.kind === "live") return el("span.badge", { title: t("kind.live") }, icon("live"), t("badge.live"));
  if (item.subtypes?.includes("motionPhoto")) {
    return el("span.badge", { title: t("kind.motionPhoto") }, icon("live"), t("badge.motion"));
  }
  if (item.kind === "movie") return el("span.badge", { title: t("kind.movie") }, icon("play"));
  return null;
}

/**
 * Returns a description of an asset, for screen readers and as the name of its picture.
 * @param {import("./types").Asset} item
 * @param {string} [date]
 */
export function inWords(item, date) {
  const kind = item.subtypes?.includes("motionPhoto") ? "motionPhoto" : item.kind;
  return [
    t(`kind.${kind}`), item.name, date, item.edited && t("tile.edited"), item.favourite && t("tile.favourite"),
    item.hidden && t("tile.hidden"), (item.burstCount ?? 0) > 1 && t("tile.burst", { count: item.burstCount }),
  ].filter(Boolean).join(", ");
}
