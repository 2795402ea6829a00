/** Whose word a file is. Project files are a stranger's word until a person approves what they say. */
export type Tier = "managed" | "user" | "project";

/** The scope in the owning tool's own terms. */
export type Scope = "managed" | "user" | "project" | "local" | "program";

/** Where a declaration came from. Never lost on the way to a running server. */
export interface Provenance {
  /** Id of the provider that read it, e.g. `plugboard`. */
  readonly tool: string;
  readonly scope: Scope;
  readonly tier: Tier;
  /** Absolute path, or the name of a source that is not a file (`$PLUGBOARD_MCP_CONFIG_JSON`). */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** Other tools that read the same file and accept the same entry. */
  readonly readers?: readonly string[];
}

/** `file:line:column` as editors and terminals understand it. */
export function describePlace(place: { file?: string; line?: number; column?: number }): string {
  const { file = "", line, column } = place;
  if (line === undefined) return file;
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}
