/**
 * The types that modules of the page share: edits and the server's responses, as described in Documentation/HTTP.md.
 */

declare global {
  /** TypeScript 4.8 lacks this property, with which a canvas shows the colours of Display P3. */
  interface WebGL2RenderingContext {
    drawingBufferColorSpace: PredefinedColorSpace;
  }
}

/** The type of the element that a tag with classes, such as `button.tool`, creates. */
export type ElementOf<Tag extends string> = Tag extends `${infer Name}.${string}` ? Named<Name> : Named<Tag>;
type Named<Name extends string> = Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement;

/** The attributes, properties and listeners of a new element. */
export interface Attributes {
  onclick?: (event: MouseEvent) => void;
  onsubmit?: (event: SubmitEvent) => void;
  onpointerenter?: (event: PointerEvent) => void;
  [name: string]: any;
}

export type Child = Node | string | null | false | undefined;

export interface Asset {
  id: string;
  revision: string;
  name: string;
  file: string;
  kind: "live" | "photo" | "movie";
  subtypes: string[];
  /** 100 times the width divided by the height. */
  shape: number;
  favourite: boolean;
  hidden: boolean;
  edited: boolean;
  burstCount?: number;
  duration?: number;
  date?: string;
  width?: number;
  height?: number;
  size?: number;
  camera?: string;
  location?: Location;
  originals?: { photo?: string; movie?: string };
}

export interface Location {
  latitude: number;
  longitude: number;
}

/** The assets of a month in the grid. */
export interface Section {
  month: string | null;
  count: number;
  shapes: number[];
}

/** The response of `sections`. */
export interface SectionsAnswer {
  count: number;
  view: string;
  sections: Section[];
}

/** The response of `assets`; missing assets are null. */
export interface AssetsAnswer {
  assets: (Asset | null)[];
}

/** A section with the index of its first asset. */
export interface PlacedSection extends Section {
  first: number;
}

/** The filter and the order of the grid. */
export interface Query {
  filter: string;
  sort: string;
  hidden: boolean;
}

/** A parameter, as described in the server's table. */
export interface Parameter {
  name: string;
  group: SliderGroup;
  minimum: number;
  maximum: number;
  neutral: number;
  digits: number;
  unit?: string;
  summary: string;
}

export interface Look {
  name: string;
  summary: string;
}

export interface Preset {
  preset: string;
  summary: string;
  isOwn: boolean;
}

/** The parts of an edit that contain slider values. */
export type SliderGroup = "light" | "color" | "blackAndWhite" | "detail" | "effects";

export type Values = Record<string, number | undefined>;
export type Point = number[];

/** An edit as JSON. */
export type Edit = Partial<Record<SliderGroup, Values>> & {
  curve?: Point[];
  channelCurves?: Record<string, Point[] | undefined>;
  look?: { name?: string; intensity?: number };
  local?: object;
  orientation?: number;
  geometry?: Geometry;
  motion?: Motion;
  facts?: object;
};

export interface Geometry {
  straighten?: number;
  horizontalPerspective?: number;
  verticalPerspective?: number;
  crop?: { rectangle?: number[]; aspect?: number[]; anchor?: string };
}

export type Effect = "loop" | "bounce" | "longExposure";

export interface Motion {
  trim?: number[];
  keyPhoto?: number;
  volume?: number;
  effect?: Effect;
  live?: boolean;
}

/** A change of the edit: it returns another edit, or modifies the copy that it receives. */
export type EditChange = (edit: Edit) => Edit | void;

/**
 * Receives a change of the edit. Consecutive changes with the same tag are a single undo step; `isMoving` is true
 * during a drag.
 */
export type TakeChange = (tag: string, change: EditChange, isMoving: boolean) => void;

/** An edit of assets, in the form that `POST edits` accepts. */
export type Change =
  | { type: "turn"; degrees: number }
  | { type: "flip"; axis: "horizontal" | "vertical" }
  | { type: "auto" }
  | { type: "apply"; presets: string[]; intensity?: number; replace: boolean }
  | { type: "copy"; from: string }
  | { type: "set"; edit: Edit }
  | { type: "merge"; edit: Edit; reset: string[] }
  | { type: "revert"; to: "previous" | "original" | number }
  | { type: "redo" };

/** An unedited movie: the times of its frames and of its key photo, in seconds. */
export interface SourceMovie {
  frames: number[];
  seconds: number;
  keyPhoto?: number;
  hasSound: boolean;
}

/** The response of `assets/ID/edit`. */
export interface EditAnswer {
  revision: string;
  edit: Edit;
  hasPhoto: boolean;
  movie?: SourceMovie;
}

/** The server's result for one asset. */
export interface Result {
  asset: string;
  status: string;
  message?: string;
  error?: { code?: string; file?: string; problem?: string; remedy?: string };
  notCarriedOver?: { name: string }[];
  written?: { name: string; size: number; download?: string }[];
}

export interface Job {
  job: string;
  title: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  total: number;
  done: number;
  failed: number;
  fraction?: number;
  results?: Result[];
}

/** The part of the response of `assets/ID/inspect` that the page uses. */
export interface InspectAnswer {
  files?: {
    photo?: { identifier?: string; profile?: { name?: string } };
    movie?: { identifier?: string; seconds?: number; stillImageTime?: number; tracks?: InspectedTrack[] };
  }[];
}

export interface InspectedTrack {
  handler: string;
  format?: string;
  video?: { storedSize: { width: number; height: number }; frameRate: number };
}

/** The response of `assets/ID/verify`. */
export interface VerifyAnswer {
  verdict: string;
  findings: { severity: string; message: string }[];
}

/** The response of `assets/ID/share`. */
export interface ShareAnswer {
  forms: string[];
  place?: Location;
  people?: string[];
}

/** The response of `assets/ID/table`: the data from which a shader draws an edit. */
export interface EditParts {
  half: "photo" | "movie";
  /** The size of the render. */
  width: number;
  height: number;
  /** The matrix from positions in the render to positions in the small picture, row by row. */
  place: number[];
  table: { name: string; nodes: number; at?: number; data?: Uint16Array };
  light?: PreviewLight;
  areas?: PreviewAreas;
  vignette?: { share: number; radius: number; width: number; isWhite: boolean };
  /** The parts of the edit that only a render shows. */
  missing: string[];
}

export interface PreviewLight {
  byLight: Uint16Array;
  byLuma: Uint16Array;
  lightCount: number;
  lumaCount: number;
  weights: number[];
  dehaze: number;
  greatestLuma: number;
  least: number;
  steps: number;
}

export interface PreviewAreas {
  name: string;
  at: number;
  columns: number;
  rows: number;
  across: number;
  down: number;
  times: number[];
  airlights: number[];
  data?: Uint16Array;
}
