/** The variables that an `envFile` sets. Their values may change without asking; which ones there are may not. */
export interface EnvFileNames {
  /** `false` if there is no such file, or it cannot be read. */
  readonly found: boolean;
  readonly names: readonly string[];
}

const NOTHING: EnvFileNames = { found: false, names: [] };

/** Names that were not approved; `undefined` if nothing asks again. A file that first appears asks even without names. */
export function newNames(
  approved: EnvFileNames = NOTHING,
  now: EnvFileNames = NOTHING,
): readonly string[] | undefined {
  const known = new Set(approved.names);
  const added = now.names.filter((name) => !known.has(name));
  return added.length > 0 || (now.found && !approved.found) ? added : undefined;
}
