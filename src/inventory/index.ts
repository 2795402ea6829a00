/** Declarations → servers: each understood and checked, one owner per name, nothing lost. Pure. */
export { checkNewEntry, checkNewName } from "./check-new.ts";
export { findDuplicates } from "./equivalence.ts";
export { interpret, SERVER_FIELDS } from "./interpret.ts";
export { mergeEntries } from "./merge.ts";
