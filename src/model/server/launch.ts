import type { JsonObject, JsonValue } from "../json/json-value.ts";

export type Transport = "stdio" | "http" | "sse";

/** How a local server is started, exactly as declared: templates unexpanded, secrets unresolved. */
export interface StdioLaunch {
  readonly transport: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file of `NAME=value` lines. */
  readonly envFile?: string;
  readonly cwd?: string;
  /** An argv prefix such as `["bwrap", "--unshare-net"]`. */
  readonly wrap?: readonly string[];
  /** `true` hands the whole environment to the server; a list hands over these names too. */
  readonly inheritEnv?: boolean | readonly string[];
}

/** How a remote server is reached, exactly as declared. */
export interface RemoteLaunch {
  readonly transport: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers whose value is in a variable, by name. */
  readonly headersFromEnv?: Readonly<Record<string, { readonly variable: string; readonly prefix: string }>>;
}

export type Launch = StdioLaunch | RemoteLaunch;

/** Declared fields that change neither what runs nor what it may do. */
const NOT_PART_OF_LAUNCH: ReadonlySet<string> = new Set([
  "enabled",
  "timeout",
  "startupTimeout",
  "installTimeout",
  "label",
  "description",
]);

/** What other tools call those fields. */
const OTHER_NAMES: ReadonlySet<string> = new Set(
  `disabled timeoutMs tool_timeout_sec startup_timeout_ms startup_timeout_sec connectionTimeout initTimeout
   discoveryTimeoutMs title`.split(/\s+/),
);

/** The declared fields an approval covers: all of them, known or not, but for those named above. */
export function launchFields(declared: JsonObject): JsonObject {
  const fields: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(declared)) {
    if (!NOT_PART_OF_LAUNCH.has(key)) fields[key] = value;
  }
  return fields;
}

/**
 * The members of an entry as written that an approval covers. Another tool's name for a field that is not covered is left out only
 * if its reader did not keep the member under that name: pins and catalogs then depend on it.
 */
export function launchMembers({
  fields,
  entry = fields,
}: {
  readonly fields: JsonObject;
  readonly entry?: JsonObject;
}): JsonObject {
  const members: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(launchFields(entry))) {
    if (!OTHER_NAMES.has(key) || Object.hasOwn(fields, key)) members[key] = value;
  }
  return members;
}
