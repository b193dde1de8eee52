/**
 * Computes the positions of rows and pictures. Rows are as wide as the window, and all pictures of a row have the same
 * height.
 */

/**
 * @typedef {Object} Row
 * @property {number} top
 * @property {number} height
 * @property {number} first the index of its first asset
 * @property {number[]} lefts the left edges of the pictures
 * @property {number[]} widths
 */

/** @typedef {{month: string|null, count: number, top: number}} Heading */
/** @typedef {{rows: Row[], headings: Heading[], height: number}} Layout */

/**
 * Computes the layout of assets.
 * @param {import("../core/types").PlacedSection[]} sections
 * @param {number} width the available width in pixels
 * @param {{height: number, gap: number, heading: number}} measures the target height of rows, the gaps, and the height
 *   of headings
 * @returns {Layout}
 */
export function layOut(sections, width, { height, gap, heading }) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Heading[]} */
  const headings = [];
  let top = 0;
  for (const section of sections) {
    headings.push({ month: section.month, count: section.count, top });
    top += heading;
    let start = 0;
    while (start < section.count) {
      // As many pictures as fit at the target height, and one more if the result is then closer to that height.
      let sum = 0;
      let end = start;
      while (end < section.count) {
        const next = sum + ratio(section.shapes[end]);
        const needed = next * height + gap * (end - start);
        if (needed > width && end > start) {
          const without = rowHeight(sum, end - start, width, gap);
          const within = rowHeight(next, end - start + 1, width, gap);
          if (Math.abs(within - height) < Math.abs(without - height)) { sum = next; end += 1; }
          break;
        }
        sum = next;
        end += 1;
      }
      const isLast = end === section.count;
      const filled = rowHeight(sum, end - start, width, gap);
      // The last row of a section is not enlarged.
      const tall = Math.round(isLast && filled > height * 1.25 ? height : Math.min(filled, height * 1.6));
      /** @type {number[]} */
      const lefts = [];
      /** @type {number[]} */
      const widths = [];
      let left = 0;
      for (let index = start; index < end; index += 1) {
        const wide = Math.min(tall * ratio(section.shapes[index]), width - left);
        lefts.push(Math.round(left));
        widths.push(Math.max(1, Math.round(left + wide) - Math.round(left)));
        left += wide + gap;
      }
      rows.push({ top, height: tall, first: section.first + start, lefts, widths });
      top += tall + gap;
      start = end;
    }
    top += gap * 2;
  }
  return { rows, headings, height: top };
}

/**
 * @param {number} sum
 * @param {number} count
 * @param {number} width
 * @param {number} gap
 */
function rowHeight(sum, count, width, gap) { return (width - gap * (count - 1)) / sum; }

/**
 * Returns the ratio of width to height, limited to a visible range. An unknown ratio is assumed to be that of a photo.
 * @param {number} shape
 */
function ratio(shape) { return Math.min(Math.max((shape || 133) / 100, 0.4), 3.5); }

/**
 * Returns the first index in a sorted list whose number exceeds a bound.
 * @template Item
 * @param {Item[]} list
 * @param {number} bound
 * @param {(item: Item) => number} number
 */
export function firstAbove(list, bound, number) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (number(list[middle]) > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
