/** The stories are in English. */
export const LANGUAGE = "en";
export const TRANSLATION = {};
