/** Where rows and pictures lie: rows as wide as the window, all pictures of a row equally high. */

/**
 * @typedef {Object} Row
 * @property {number} top
 * @property {number} height
 * @property {number} first the number of its first asset
 * @property {number[]} lefts left edges
 * @property {number[]} widths
 */

/** @typedef {{month: string|null, count: number, top: number}} Heading */
/** @typedef {{rows: Row[], headings: Heading[], height: number}} Layout */

/**
 * Lays assets out.
 * @param {import("../core/types").PlacedSection[]} sections
 * @param {number} width room in pixels
 * @param {{height: number, gap: number, heading: number}} measures target height of rows, gaps, and height of headings
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
      // As many as fit at the target height, and one more if that is nearer to it.
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
      // The last row of a section is not blown up.
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
 * Width by height, kept within what can be seen; what is not known is taken for a photo.
 * @param {number} shape
 */
function ratio(shape) { return Math.min(Math.max((shape || 133) / 100, 0.4), 3.5); }

/**
 * The first place of a sorted list whose number, by a function, is greater than a bound.
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
