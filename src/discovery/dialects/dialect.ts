import type { JsonObject, RemoteLaunch, StdioLaunch } from "../../model/index.ts";
import type { Where } from "../provider.ts";

/** Which of a tool's config files to write. */
export type DialectScope = "project" | "user";

/** The reason why a tool's file cannot express something, as readable text. */
export interface Unsupported {
  readonly cannot: string;
}

/** How a server is started or reached, in Plugboard's native form with placeholders unexpanded. */
export type PortableLaunch = Omit<StdioLaunch, "wrap" | "sandbox"> | Omit<RemoteLaunch, "headersFromEnv">;

/** A server to write to another tool's file. Placeholders are `${VAR}` and `${VAR:-default}`. */
export interface PortableServer {
  readonly name: string;
  readonly launch: PortableLaunch;
  /** Only if the entry sets it. */
  readonly timeoutMs?: number;
  readonly startupTimeoutMs?: number;
  readonly allowTools?: readonly string[];
  readonly denyTools?: readonly string[];
}

/** How to write servers to a tool's config files: data and pure functions. */
export interface Dialect {
  /** The id of the provider that reads these files. */
  readonly id: string;
  readonly label: string;
  readonly format: "json" | "toml";
  /**
   * The candidate files, nearest first. The first existing file is written, else the last one is created. Empty if
   * unsupported.
   */
  files(where: Where, scope: DialectScope): readonly string[];
  /** Scopes whose file Plugboard does not write: the reason, and what to do instead. */
  readonly leftAlone?: Readonly<
    Partial<Record<DialectScope, { readonly why: string; readonly hint: string }>>
  >;
  /** Returns the path to the servers in a file with this content. */
  keyPath(root: JsonObject): readonly string[] | Unsupported;
  toEntry(server: PortableServer): JsonObject | Unsupported;
  /** The fields that define what runs. Other fields of an existing entry are kept. */
  readonly launchFields: readonly string[];
  /** The fields that grant permissions to the server. They are removed when what runs changes. */
  readonly grants?: readonly string[];
  /** Whether the tool merges entries with the same name from several files field by field. */
  readonly merges?: boolean;
}

export function isUnsupported(value: object): value is Unsupported {
  return "cannot" in value && typeof value.cannot === "string";
}

/**
 * Returns the candidate paths of a project file, from the working folder up to the project root. Excludes the home
 * folder.
 */
export function inProject({ projectFolders, home, join }: Where, ...parts: readonly string[]): string[] {
  return projectFolders.filter((folder) => folder !== home).map((folder) => join(folder, ...parts));
}
