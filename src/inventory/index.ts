/** Declarations → servers: validates each declaration and picks one entry per name. Pure. */
export { checkNewEntry, checkNewName } from "./check-new.ts";
export { findDuplicates } from "./equivalence.ts";
export { interpret, SERVER_FIELDS } from "./interpret.ts";
export { mergeEntries } from "./merge.ts";
