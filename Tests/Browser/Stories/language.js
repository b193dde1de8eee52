/** The stories are English. */
export const LANGUAGE = "en";
export const TRANSLATION = {};
