import type { JsonObject, RemoteLaunch, StdioLaunch } from "../../model/index.ts";
import type { Where } from "../provider.ts";

/** Whose file of a tool. */
export type DialectScope = "project" | "user";

/** Why something cannot be said in a tool's file, in words for a person. */
export interface Cannot {
  readonly cannot: string;
}

/** How a server is started or reached, in native words: nothing is filled in. */
export type PortableLaunch = Omit<StdioLaunch, "wrap"> | Omit<RemoteLaunch, "headersFromEnv">;

/** A server on its way into another tool's file. Placeholders are `${VAR}` and `${VAR:-default}`. */
export interface PortableServer {
  readonly name: string;
  readonly launch: PortableLaunch;
  /** Only where its entry says so. */
  readonly timeoutMs?: number;
  readonly startupTimeoutMs?: number;
  readonly allowTools?: readonly string[];
  readonly denyTools?: readonly string[];
}

/** How a product writes servers down: data and pure functions. */
export interface Dialect {
  /** The id of the provider that reads the same files. */
  readonly id: string;
  readonly label: string;
  readonly format: "json" | "toml";
  /** Nearest first: the first that is there is written to, else the last one is made. None where the tool has no such file. */
  files(where: Where, scope: DialectScope): readonly string[];
  /** Scopes whose file is the tool's alone: why, and what to do instead. */
  readonly leftAlone?: Readonly<
    Partial<Record<DialectScope, { readonly why: string; readonly hint: string }>>
  >;
  /** Where the servers are in a file that holds this. */
  keyPath(root: JsonObject): readonly string[] | Cannot;
  toEntry(server: PortableServer): JsonObject | Cannot;
  /** Fields that say what runs. What an entry has beyond these is the tool's or the person's, and stays. */
  readonly launchFields: readonly string[];
  /** Fields by which a person let the server do things unasked. They go when what runs changes. */
  readonly grants?: readonly string[];
  /** It merges entries of one name from several files field by field. */
  readonly merges?: boolean;
}

export function isCannot(value: object): value is Cannot {
  return "cannot" in value && typeof value.cannot === "string";
}

/** A file of a project, from the working folder up to its root. The home folder is no project. */
export function inProject({ projectFolders, home, join }: Where, ...parts: readonly string[]): string[] {
  return projectFolders.filter((folder) => folder !== home).map((folder) => join(folder, ...parts));
}
