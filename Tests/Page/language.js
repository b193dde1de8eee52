/** Replaces the module that the server generates: the language that a test chose before it imported the page's modules. */
export const { LANGUAGE, TRANSLATION } = globalThis.chosen ?? { LANGUAGE: "en", TRANSLATION: {} };
// Node.js before version 21 has no navigator.
globalThis.navigator ??= { languages: ["en-US"] };
