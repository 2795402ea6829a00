import { isJsonObject, type JsonObject } from "../../model/index.ts";
import {
  COMMON_FIELDS,
  hasString,
  keepFields,
  ownMember,
  stringIn,
  type TransportFacts,
} from "../map-fields.ts";
import { checkStrings } from "../plain-entry.ts";
import type { MappedEntry } from "../provider.ts";
import { Verdict } from "../verdict.ts";

const TYPES: Readonly<Record<string, TransportFacts["kind"]>> = {
  stdio: "stdio",
  "streamable-http": "http",
  sse: "sse",
};
const LOCAL_FIELDS = new Set(["type", "command", "args", "env", "cwd", "extensions"]);
const REMOTE_FIELDS = new Set(["type", "url", "headers", "extensions"]);

/** Maps a server of an Agent Plugin. Its schema is closed, so any additional field makes the entry invalid. */
export function mapPluginEntry(entry: JsonObject, isRefused: boolean): MappedEntry {
  const verdict = new Verdict();
  const declared = ownMember(entry, "type");
  const type = stringIn(entry, "type");
  const kind = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (isRefused) verdict.refuse("missing-required-field");
  if (kind === undefined) verdict.refuse(declared === undefined ? "missing-type" : "unknown-type");
  else if (kind === "stdio") checkLocal(entry, verdict);
  else checkRemote(entry, verdict);
  return {
    fields: {
      ...keepFields(entry, COMMON_FIELDS),
      ...(declared !== undefined && { type: kind ?? declared }),
    },
    ...(kind !== undefined && { transport: { kind, reason: `"type": "${type}"` } }),
    owner: verdict.result(),
  };
}

function checkLocal(entry: JsonObject, verdict: Verdict): void {
  const command = stringIn(entry, "command");
  const cwd = ownMember(entry, "cwd");
  const env = ownMember(entry, "env");
  if (command === "") verdict.refuse("missing-command");
  else if (!isPluginCommand(command)) verdict.refuse("invalid-command-path");
  if (cwd !== undefined && !isPluginFolder(stringIn(entry, "cwd"))) verdict.refuse("bad-field-type");
  if (
    isJsonObject(env) &&
    ["PLUGIN_ROOT", "PLUGIN_DATA"].some((name) => ownMember(env, name) !== undefined)
  ) {
    verdict.refuse("reserved-name");
  }
  checkStrings(entry, verdict);
  if (Object.keys(entry).some((key) => !LOCAL_FIELDS.has(key))) verdict.refuse("unsupported-field");
}

/** Returns whether the command is a bare name or a path inside the plugin. */
function isPluginCommand(command: string): boolean {
  return /^[^\s/\\]+$/.test(command) || (command.startsWith("./") && !hasParentSegment(command));
}

function isPluginFolder(folder: string): boolean {
  return /^(?:\.\/|\$\{PLUGIN_(?:ROOT|DATA)\}(?:\/|$))/.test(folder) && !hasParentSegment(folder);
}

function hasParentSegment(path: string): boolean {
  return /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
}

function checkRemote(entry: JsonObject, verdict: Verdict): void {
  if (!hasString(entry, "url")) verdict.refuse("missing-url");
  else if (!isAllowedAddress(stringIn(entry, "url"))) verdict.refuse("bad-url");
  checkStrings(entry, verdict);
  const headers = ownMember(entry, "headers");
  const names = isJsonObject(headers) ? Object.keys(headers).map((name) => name.toLowerCase()) : [];
  if (new Set(names).size < names.length) verdict.refuse("duplicate-key");
  if (Object.keys(entry).some((key) => !REMOTE_FIELDS.has(key))) verdict.refuse("unsupported-field");
}

/** Allows HTTPS, and HTTP on this machine, without credentials or a fragment. */
function isAllowedAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== "" || password !== "" || hash !== "") return false;
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
