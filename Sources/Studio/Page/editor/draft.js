/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("../core/types").Parameter} Parameter */

/** The edit in progress: its value, its undo history, and a copy that survives a reload of the page. */
export class Draft extends EventTarget {
  /**
   * @param {string} id the name of the asset
   * @param {string} revision the revision of the asset from which the edit starts
   * @param {Edit} base the current edit of the asset
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
    /** True if the value was restored from an earlier page. */
    this.isRestored = false;
    /**
     * True if the asset was edited elsewhere since this draft was begun. The draft then keeps its own base, and saving
     * is refused.
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
   * Returns the unsaved draft of an asset, if it exists.
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
   * Changes the edit. Consecutive changes with the same tag are a single undo step, until `rest` is called.
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

  /** Ends a drag, so that the next change is a new undo step. */
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
      // A browser stores only a few megabytes. Drafts with large looks are lost when the page closes.
      sessionStorage.removeItem(name);
    }
  }

  /**
   * Records that a value was saved as the edit of the asset.
   * @param {Edit} value
   * @param {string} revision
   */
  saved(value, revision) {
    this.base = value;
    this.revision = revision;
    this.keep();
    this.dispatchEvent(new Event("change"));
  }

  /** Discards the unsaved draft. */
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
 * Returns an edit to which the differences between two other edits have been applied.
 * @param {Record<string, any>} now the edit, or a part of it
 * @param {Record<string, any>} before the other edit before its change
 * @param {Record<string, any>} after the other edit after its change
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
 * Returns whether two edits are equal, regardless of the order of their parts.
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
 * Returns the value of a parameter in an edit.
 * @param {Edit} edit
 * @param {Parameter} parameter
 */
export function valueOf(edit, parameter) { return edit[parameter.group]?.[parameter.name] ?? parameter.neutral; }

/**
 * Sets the value of a parameter in an edit; a neutral value is removed.
 * @param {Edit} edit the edit, which is modified
 * @param {Parameter} parameter
 * @param {number} value
 */
export function setValue(edit, parameter, value) {
  const group = (edit[parameter.group] ??= {});
  const rounded = Number(Math.min(Math.max(value, parameter.minimum), parameter.maximum).toFixed(parameter.digits));
  if (rounded === parameter.neutral) delete group[parameter.name];
  else group[parameter.name] = rounded;
  // The two parameters exclude each other.
  if (parameter.name === "temperature") delete group.warmth;
  if (parameter.name === "warmth") delete group.temperature;
}
