/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("../core/types").Parameter} Parameter */

/** The edit that is being made: its value, the way back and forth, and a copy that outlives the page. */
export class Draft extends EventTarget {
  /**
   * @param {string} id the asset
   * @param {string} revision the state of the asset that the edit starts from
   * @param {Edit} base the edit that it has
   */
  constructor(id, revision, base) {
    super();
    this.id = id;
    this.revision = revision;
    this.base = base;
    this.value = base;
    /** @type {Edit[]} */
    this.past = [];
    /** @type {Edit[]} */
    this.future = [];
    this.tag = "";
    /** True if the value is one that a page before this one left. */
    this.isRestored = false;
    /**
     * True if the asset was edited elsewhere since this draft was begun: what it began with counts, and saving is
     * refused.
     */
    this.isOutdated = false;
    const kept = Draft.kept(id);
    if (kept && !isEqual(kept.value, base)) {
      this.value = kept.value;
      this.isRestored = true;
      this.isOutdated = Boolean(kept.base) && !isEqual(kept.base, base);
      if (this.isOutdated) Object.assign(this, { base: kept.base, revision: kept.revision });
      this.past = [this.base];
    }
  }

  /**
   * The draft of an asset that was not saved, if there is one.
   * @param {string} id
   * @returns {{revision: string, base: Edit, value: Edit}|null}
   */
  static kept(id) {
    try {
      return JSON.parse(sessionStorage.getItem(`liveedit.draft.${id}`) ?? "null");
    } catch {
      return null;
    }
  }

  get isChanged() { return !isEqual(this.value, this.base); }

  /**
   * Changes the edit. Changes with one tag that follow each other are one step back, until `rest`.
   * @param {string} tag
   * @param {import("../core/types").EditChange} change
   */
  change(tag, change) {
    const copy = structuredClone(this.value);
    const next = tidy(change(copy) ?? copy);
    if (isEqual(next, this.value)) return;
    if (!tag || tag !== this.tag) this.past.push(this.value);
    this.tag = tag;
    this.future = [];
    this.take(next);
  }

  /** Ends a movement of the hand: the next change is another step. */
  rest() { this.tag = ""; }

  undo() { this.step(this.past, this.future); }

  redo() { this.step(this.future, this.past); }

  /** @param {Edit[]} from @param {Edit[]} to */
  step(from, to) {
    const value = from.pop();
    if (!value) return;
    to.push(this.value);
    this.tag = "";
    this.take(value);
  }

  /** @param {Edit} value */
  take(value) {
    this.value = value;
    this.keep();
    this.dispatchEvent(new Event("change"));
  }

  keep() {
    const name = `liveedit.draft.${this.id}`;
    if (!this.isChanged) { sessionStorage.removeItem(name); return; }
    try {
      sessionStorage.setItem(name, JSON.stringify({ revision: this.revision, base: this.base, value: this.value }));
    } catch {
      // A browser keeps some megabytes; drafts with large looks live as long as the page.
      sessionStorage.removeItem(name);
    }
  }

  /**
   * Takes note that a value was saved: the asset then has it.
   * @param {Edit} value
   * @param {string} revision
   */
  saved(value, revision) {
    this.base = value;
    this.revision = revision;
    this.keep();
    this.dispatchEvent(new Event("change"));
  }

  /** Forgets what was not saved. */
  forget() { sessionStorage.removeItem(`liveedit.draft.${this.id}`); }
}

/**
 * Removes empty parts of an edit.
 * @template {Record<string, any>} Part
 * @param {Part} edit the edit, or a part of it, which is modified
 */
export function tidy(edit) {
  for (const [name, part] of Object.entries(edit)) {
    if (part === undefined || part === null) delete edit[name];
    else if (typeof part === "object" && !Array.isArray(part)) {
      tidy(part);
      if (!Object.keys(part).length) delete edit[name];
    }
  }
  return edit;
}

/**
 * An edit with what another one changed of a third.
 * @param {Record<string, any>} now the edit, or a part of it
 * @param {Record<string, any>} before what the other one began with
 * @param {Record<string, any>} after the other one
 * @returns {Record<string, any>}
 */
export function merged(now, before, after) {
  const isGroup = (/** @type {unknown} */ part) => typeof part === "object" && part !== null && !Array.isArray(part);
  const result = { ...now };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isEqual(before[name], after[name])) continue;
    const isMerged = isGroup(now[name]) && isGroup(after[name]);
    result[name] = isMerged ? merged(now[name], before[name] ?? {}, after[name]) : after[name];
  }
  return result;
}

/**
 * True if two edits are the same, whatever the order of their parts.
 * @param {any} one
 * @param {any} other
 * @returns {boolean}
 */
export function isEqual(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isEqual(one[name], other[name]));
}

/**
 * The value of a parameter in an edit.
 * @param {Edit} edit
 * @param {Parameter} parameter
 */
export function valueOf(edit, parameter) { return edit[parameter.group]?.[parameter.name] ?? parameter.neutral; }

/**
 * Puts the value of a parameter into an edit; a neutral one is none.
 * @param {Edit} edit which is modified
 * @param {Parameter} parameter
 * @param {number} value
 */
export function setValue(edit, parameter, value) {
  const group = (edit[parameter.group] ??= {});
  const rounded = Number(Math.min(Math.max(value, parameter.minimum), parameter.maximum).toFixed(parameter.digits));
  if (rounded === parameter.neutral) delete group[parameter.name];
  else group[parameter.name] = rounded;
  // One says what the other says.
  if (parameter.name === "temperature") delete group.warmth;
  if (parameter.name === "warmth") delete group.temperature;
}
