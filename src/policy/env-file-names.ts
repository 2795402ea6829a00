/** The variables that an `envFile` sets. Their values may change without a new approval, but not the set of names. */
export interface EnvFileNames {
  /** `false` if the file does not exist or cannot be read. */
  readonly found: boolean;
  readonly names: readonly string[];
}

const NOTHING: EnvFileNames = { found: false, names: [] };

/**
 * Returns the unapproved names, or `undefined` if no new approval is needed. A new file needs approval even if it is
 * empty.
 */
export function newNames(
  approved: EnvFileNames = NOTHING,
  now: EnvFileNames = NOTHING,
): readonly string[] | undefined {
  const known = new Set(approved.names);
  const added = now.names.filter((name) => !known.has(name));
  return added.length > 0 || (now.found && !approved.found) ? added : undefined;
}
