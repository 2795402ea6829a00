/** Who controls a config file. Servers defined in `project` files are untrusted until the user approves them. */
export type Tier = "managed" | "user" | "project";

/** The scope of a config file, in the terms of the tool that owns it. `program` means options passed to the host. */
export type Scope = "managed" | "user" | "project" | "local" | "program";

/** Where a server or bundle is defined. */
export interface Provenance {
  /** The id of the provider that read it, such as `plugboard` or `cursor`. */
  readonly tool: string;
  /** The scope of the file, in the terms of the tool that owns it. */
  readonly scope: Scope;
  /** Who controls the file. */
  readonly tier: Tier;
  /** The absolute path, or the name of a source that is not a file, such as `$PLUGBOARD_MCP_CONFIG_JSON`. */
  readonly file: string;
  /** The line in `file`, starting at 1. */
  readonly line?: number;
  /** The column in `file`, starting at 1. */
  readonly column?: number;
  /** Other providers that read this file and accept this entry. */
  readonly readers?: readonly string[];
}

/** Returns `file:line:column`, the format that editors and terminals recognize. */
export function describePlace(place: { file?: string; line?: number; column?: number }): string {
  const { file = "", line, column } = place;
  if (line === undefined) return file;
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}
