/** Plugboard's own settings, and the one way every config file is read. */
export type { ReadDocument } from "./read-document.ts";
export { parseDocument, problemIn, readDocument } from "./read-document.ts";
export type { LoadedSettings, Settings } from "./settings.ts";
export { DEFAULT_SETTINGS, loadSettings } from "./settings.ts";
