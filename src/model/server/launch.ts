import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { InProcessSource } from "./in-process-source.ts";
import type { SandboxProfile } from "./sandbox-profile.ts";

/** How a server is connected: as a local process, over streamable HTTP, over legacy SSE, or as an object of this program. */
export type Transport = "stdio" | "http" | "sse" | "in-process";

/** How to start a local server, exactly as declared: placeholders are not expanded and secrets are not resolved. */
export interface StdioLaunch {
  readonly transport: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file with `NAME=value` lines. */
  readonly envFile?: string;
  readonly cwd?: string;
  /** A command to run the server in, such as `["bwrap", "--unshare-net"]`. */
  readonly wrap?: readonly string[];
  /** Runs the server in a sandbox. */
  readonly sandbox?: SandboxProfile;
  /**
   * `true` passes the whole environment to the server. A list passes these variables in addition to the default ones.
   */
  readonly inheritEnv?: boolean | readonly string[];
}

/** How to reach a remote server, exactly as declared. */
export interface RemoteLaunch {
  readonly transport: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers whose values come from environment variables, keyed by header name. */
  readonly headersFromEnv?: Readonly<Record<string, { readonly variable: string; readonly prefix: string }>>;
}

/** A server or transport object that the program passed to the host. */
export interface InProcessLaunch {
  readonly transport: "in-process";
  readonly source: InProcessSource;
}

/** How to start or reach a server, exactly as declared. */
export type Launch = StdioLaunch | RemoteLaunch | InProcessLaunch;

/** Declared fields that affect neither what runs nor what it may do. */
const NOT_PART_OF_LAUNCH: ReadonlySet<string> = new Set([
  "enabled",
  "timeout",
  "startupTimeout",
  "installTimeout",
  "label",
  "description",
]);

/** Other tools' names for those fields. */
const OTHER_NAMES: ReadonlySet<string> = new Set(
  `disabled timeoutMs tool_timeout_sec startup_timeout_ms startup_timeout_sec connectionTimeout initTimeout
   discoveryTimeoutMs title`.split(/\s+/),
);

/**
 * Returns the declared fields that an approval covers: all fields, including unknown ones, except those listed above.
 */
export function approvedFields(declared: JsonObject): JsonObject {
  const fields: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(declared)) {
    if (!NOT_PART_OF_LAUNCH.has(key)) fields[key] = value;
  }
  return fields;
}

/**
 * Returns the members of an entry as written that an approval covers. Another tool's name for an excluded field is also
 * excluded, unless its reader kept the member under that name in `fields`: then pins and catalogs depend on it.
 */
export function approvedMembers({
  fields,
  entry = fields,
}: {
  readonly fields: JsonObject;
  readonly entry?: JsonObject;
}): JsonObject {
  const members: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(approvedFields(entry))) {
    if (!OTHER_NAMES.has(key) || Object.hasOwn(fields, key)) members[key] = value;
  }
  return members;
}
