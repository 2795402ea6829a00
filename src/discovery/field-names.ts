import { memberAt, type Path } from "../documents/index.ts";
import { isList, type JsonValue, type Position } from "../model/index.ts";
import type { SourceDocument } from "./provider.ts";

/** Other tools' names for Plugboard's fields. `transport.url` means a nested member. */
const SPELLINGS: Readonly<Record<string, string>> = {
  type: "transport.type transport transportType",
  command: "cmd transport.command command.path",
  args: "transport.args command.args command",
  env: "environment envs transport.env command.env",
  cwd: "working_directory transport.cwd",
  url: "baseUrl serverUrl httpUrl uri transport.url",
  headers: "http_headers requestOptions.headers transport.headers",
  envHeaders: "env_http_headers",
  bearerTokenEnv: "bearer_token_env_var api_key_env",
  headersHelper: "http_headers_helper",
  inheritEnv: "env_vars env_keys",
  enabled: "disabled",
  timeout: "timeoutMs tool_timeout_sec",
  startupTimeout:
    "startup_timeout_ms startup_timeout_sec connectionTimeout initTimeout discoveryTimeoutMs timeout.startup",
  allowTools: "enabled_tools includeTools enabledTools allowedTools allowed_tools available_tools tools",
  denyTools: "disabled_tools excludeTools disabledTools blockedTools blocked_tools",
  autoApprove: "alwaysAllow",
  authProviderId: "transport.authProviderId",
  oauth: "auth oauth_client_id oauth_client_secret oauth_callback_port oauthClientId oauthScope",
  sandbox: "sandboxEnabled",
  label: "title",
};

/**
 * Returns the path of a Plugboard field in an entry as written by its tool, or `undefined` if the entry does not set
 * it.
 */
export function fieldPath(field: string, entry: JsonValue | undefined): readonly string[] | undefined {
  const spellings = Object.hasOwn(SPELLINGS, field) ? (SPELLINGS[field] ?? "").split(" ") : [];
  return [[field], ...spellings.map((spelling) => spelling.split("."))].find(
    (keys) => memberAt(entry, keys) !== undefined,
  );
}

/** Returns the position of a field of the entry at `path`, under the tool's name for it. */
export function positionOfField(source: SourceDocument, path: Path, field: string): Position | undefined {
  const keys = fieldPath(field, entryAt(source, path));
  return keys && source.document.at([...path, ...keys]);
}

/** Returns the tool's name for a field of the entry at `path`, if the entry sets it. */
export function keyOfField(source: SourceDocument, path: Path, field: string): string | undefined {
  return fieldPath(field, entryAt(source, path))?.join(".");
}

/** Returns the value at a path. Steps into lists are indexes. */
export function entryAt({ value }: SourceDocument, path: Path): JsonValue | undefined {
  let entry: JsonValue | undefined = value;
  for (const step of path) {
    entry = isList(entry) ? entry[Number(step)] : memberAt(entry, [String(step)]);
  }
  return entry;
}
