export const LANGUAGE: string;
export const TRANSLATION: Record<string, string[]>;
