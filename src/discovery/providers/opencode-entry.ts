import { memberAt } from "../../documents/index.ts";
import { type ExpansionRules, isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import {
  checkStringMap,
  HTTP_THEN_SSE,
  hasString,
  keepFields,
  ownMember,
  pickFields,
  splitCommand,
} from "../map-fields.ts";
import { type Layer, layersIn, mergeLayers, shapeProblems } from "../merge-layers.ts";
import type { Complaint, MappedEntry, ProviderReading, SourceDocument } from "../provider.ts";
import { Verdict } from "../verdict.ts";

/** `{env:VAR}` and `{file:path}`, expanded in the file's text before it is parsed. */
const EXPANSION: ExpansionRules = { syntaxes: ["curlyEnv", "curlyFile"], unset: "empty" };

const NAMES = {
  environment: "env",
  url: "url",
  headers: "headers",
  cwd: "cwd",
  enabled: "enabled",
  oauth: "oauth",
};

/** Reads the servers of opencode or its fork Kilo from all files, weakest first, merged field by field. */
export function readOpencode(
  documents: readonly SourceDocument[],
  { id, label }: { readonly id: string; readonly label: string },
): ProviderReading {
  const timeout = documents.map(({ value }) => timeoutIn(value)).findLast((found) => found !== undefined);
  const entries = mergeLayers(documents.flatMap(layersOf), {
    tool: id,
    expansion: EXPANSION,
    map: (entry) => mapEntry(entry, timeout),
  });
  return { entries, complaints: documents.flatMap((source) => complaintsOf(source, label)) };
}

/**
 * Version 1 keeps servers directly under `mcp`, version 2 under `mcp.servers`, unless a server has the name
 * "servers".
 */
function isVersionTwo(value: JsonValue): boolean {
  const servers = memberAt(value, ["mcp", "servers"]);
  return (
    isJsonObject(servers) && !hasString(servers, "type") && typeof ownMember(servers, "enabled") !== "boolean"
  );
}

function pathOf(value: JsonValue): string[] {
  return isVersionTwo(value) ? ["mcp", "servers"] : ["mcp"];
}

function layersOf(source: SourceDocument): Layer[] {
  const path = pathOf(source.value);
  const layers = layersIn(source, path, memberAt(source.value, path));
  return path.length === 1 ? layers : layers.map((layer) => ({ ...layer, entry: asVersionOne(layer.entry) }));
}

/** Converts a version 2 entry: `disabled` becomes `enabled`, and `oauth` gets camel case keys. */
function asVersionOne(entry: JsonObject): JsonObject {
  const { disabled, oauth, ...rest } = entry;
  return {
    ...rest,
    ...(disabled !== undefined && { enabled: typeof disabled === "boolean" ? !disabled : disabled }),
    ...(oauth !== undefined && { oauth: isJsonObject(oauth) ? inCamelCase(oauth) : oauth }),
  };
}

function inCamelCase(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** Returns the timeout for all servers: a number in version 1, an object in version 2. */
function timeoutIn(value: JsonValue): JsonValue | undefined {
  return memberAt(value, isVersionTwo(value) ? ["mcp", "timeout"] : ["experimental", "mcp_timeout"]);
}

function mapEntry(entry: JsonObject, timeoutForAll?: JsonValue): MappedEntry {
  const verdict = new Verdict();
  const kind = checkShape(entry, verdict);
  const type = kind ?? ownMember(entry, "type");
  const command = ownMember(entry, "command");
  // opencode does not accept a string as the command. Plugboard reads it as a program with `args` and `env`.
  const args = typeof command === "string" ? pickFields(entry, { args: "args", env: "env" }) : {};
  return {
    fields: {
      ...(type !== undefined && { type }),
      ...keepFields(entry, NAMES, ["command", "timeout"]),
      ...(typeof command === "string" ? { command } : splitCommand(command)),
      ...args,
      ...timeouts(timeoutForAll),
      ...timeouts(ownMember(entry, "timeout")),
    },
    ...(typeof timeoutForAll === "number" &&
      ownMember(entry, "timeout") === undefined && { timeoutRules: "opencode global" }),
    ...(kind === "stdio" && { transport: { kind, reason: `"type": "local"` } }),
    ...(kind === "http" && { transport: { kind, reason: `"type": "remote"`, candidates: HTTP_THEN_SSE } }),
    owner: verdict.result(),
  };
}

/** Reads timeouts in milliseconds: one number for everything, or separate values for startup and requests. */
function timeouts(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) return value === undefined ? {} : { timeout: value };
  return pickFields(value, { startup: "startupTimeout", execution: "timeout", request: "timeout" });
}

function checkShape(entry: JsonObject, verdict: Verdict): "stdio" | "http" | undefined {
  const type = ownMember(entry, "type");
  checkStringMap(entry, "environment", verdict);
  checkStringMap(entry, "headers", verdict);
  if (type === "remote") {
    if (!hasString(entry, "url")) verdict.refuse("missing-url");
    return "http";
  }
  if (type === "local") {
    checkCommand(ownMember(entry, "command"), verdict);
    return "stdio";
  }
  if (type !== undefined) verdict.refuse("unknown-type");
  else verdict.refuse(typeof ownMember(entry, "enabled") === "boolean" ? "partial-overlay" : "missing-type");
  return undefined;
}

function checkCommand(command: JsonValue | undefined, verdict: Verdict): void {
  if (command === undefined) verdict.refuse("missing-command");
  else if (!Array.isArray(command) || command.some((word) => typeof word !== "string"))
    verdict.refuse("bad-field-type");
  else if (command.length === 0) verdict.refuse("missing-command");
}

/** Checks each file separately, because one invalid server makes opencode reject the whole file. */
function complaintsOf(source: SourceDocument, label: string): Complaint[] {
  const rejection = (path: readonly string[], message: string): Complaint => ({
    source,
    path,
    code: "owner-refuses",
    message,
    severity: "warning",
  });
  const bad = layersOf(source).find(({ entry }) => {
    const { owner } = mapEntry(entry);
    return owner?.valid === false && !owner.problems.includes("partial-overlay");
  });
  const path = pathOf(source.value);
  const complaints = shapeProblems(source, path, memberAt(source.value, path));
  if (bad !== undefined)
    complaints.push(
      rejection(bad.path, `server "${bad.name}": ${label} would reject the whole file because of this`),
    );
  if (memberAt(source.value, ["mcpServers"]) !== undefined)
    complaints.push(
      rejection(["mcpServers"], `has "mcpServers": ${label} reads "mcp" and finds no servers here`),
    );
  return complaints;
}
