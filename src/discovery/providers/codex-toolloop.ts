import { memberAt } from "../../documents/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, NO_EXPANSION } from "../../model/index.ts";
import { approvedBundles, rawBundles, tooManyBundles } from "../bundles.ts";
import { maxServers } from "../limits.ts";
import {
  checkStringList,
  checkStringMap,
  explicit,
  hasString,
  ownMember,
  pickFields,
  stringsIn,
  type TransportFacts,
} from "../map-fields.ts";
import { withStrictJson } from "../owner-problems.ts";
import type {
  Complaint,
  DiscoveryProvider,
  MappedEntry,
  ProviderReading,
  SourceDocument,
} from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { Verdict } from "../verdict.ts";

const LABEL = "Codex ToolLoop";

/**
 * Codex ToolLoop: the first file from the working folder up to the root of the disk. One error makes it reject the
 * whole file.
 */
export const codexToolloop: DiscoveryProvider = {
  id: "codex-toolloop",
  label: LABEL,
  priority: 90,
  files: ({ ancestors, join }) => [
    {
      scope: "project",
      tier: "project",
      paths: ancestors.flatMap((folder) => [
        join(folder, "codex-toolloop.mcp.json"),
        join(folder, ".codex-toolloop", "mcp.json"),
      ]),
    },
  ],
  read: (documents) => joinReadings(documents.map(readFile)),
};

function readFile(source: SourceDocument): ProviderReading {
  const bundles = bundlesByServer(source.value);
  const bundlesOf = approvedBundles(source);
  const reading = readServerMap(source, {
    keys: [["servers"]],
    expansion: NO_EXPANSION,
    map: (entry, name) => withFields(mapEntry(entry, bundles.get(name) ?? []), bundlesOf(name)),
  });
  const complaints = [...(reading.complaints ?? []), ...tooManyBundles(source), ...refusals(source, reading)];
  return withStrictJson({ ...reading, complaints, bundles: rawBundles(source) }, source, LABEL);
}

function withFields(mapped: MappedEntry, fields: JsonObject): MappedEntry {
  return { ...mapped, fields: { ...mapped.fields, ...fields } };
}

const SERVER_KEYS = ["label", "description", "trust", "transport", "enabled"];
const REMOTE_KEYS = ["type", "url", "headers", "authProviderId"];
const LOCAL_KEYS = ["type", "command", "args", "cwd", "env", "stderr"];
const BUNDLE_KEYS = ["serverId", "mode", "allowTools", "denyTools", "label", "description"];

/**
 * Maps a server, whose connection is under `transport`. If it has exactly one bundle, that bundle sets its tool
 * lists.
 */
function mapEntry(entry: JsonObject, bundles: readonly JsonObject[]): MappedEntry {
  const verdict = new Verdict();
  const { transport: connection, ...rest } = entry;
  checkTrust(ownMember(entry, "trust"), verdict);
  const enabled = ownMember(entry, "enabled");
  if (enabled !== undefined && typeof enabled !== "boolean") verdict.refuse("bad-field-type");
  if (!hasOnly(entry, SERVER_KEYS)) verdict.refuse("unsupported-field");
  const inner = isJsonObject(connection) ? connection : undefined;
  if (inner === undefined)
    verdict.refuse(connection === undefined ? "missing-required-field" : "bad-field-type");
  const transport = inner && transportOf(inner, verdict);
  const [bundle] = bundles.length === 1 ? bundles : [];
  return {
    fields: {
      ...rest,
      ...inner,
      ...pickFields(entry, { trust: "trust", enabled: "enabled" }),
      ...(bundle && pickFields(bundle, { allowTools: "allowTools", denyTools: "denyTools" })),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

function checkTrust(trust: JsonValue | undefined, verdict: Verdict): void {
  if (trust === undefined) verdict.refuse("missing-required-field");
  else if (trust !== "trusted" && trust !== "untrusted") verdict.refuse("bad-field-type");
}

function transportOf(connection: JsonObject, verdict: Verdict): TransportFacts | undefined {
  const type = ownMember(connection, "type");
  if (type !== "stdio" && type !== "http" && type !== "sse") {
    verdict.refuse(type === undefined ? "missing-type" : "unknown-type");
    return undefined;
  }
  if (!hasOnly(connection, type === "stdio" ? LOCAL_KEYS : REMOTE_KEYS)) verdict.refuse("unsupported-field");
  if (type === "stdio" && !hasString(connection, "command")) verdict.refuse("missing-command");
  if (type !== "stdio" && !hasString(connection, "url")) verdict.refuse("missing-url");
  else if (type !== "stdio" && !isUrl(ownMember(connection, "url"))) verdict.refuse("bad-url");
  checkStringList(connection, "args", verdict);
  checkStringMap(connection, "env", verdict);
  checkStringMap(connection, "headers", verdict);
  return explicit(type, type);
}

function isUrl(value: JsonValue | undefined): boolean {
  return typeof value === "string" && URL.canParse(value);
}

function hasOnly(object: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(object).every((key) => keys.includes(key));
}

function bundlesByServer(value: JsonValue): Map<string, JsonObject[]> {
  const byServer = new Map<string, JsonObject[]>();
  const bundles = memberAt(value, ["bundles"]);
  for (const bundle of isJsonObject(bundles) ? Object.values(bundles).filter(isJsonObject) : []) {
    const server = ownMember(bundle, "serverId");
    if (typeof server === "string")
      byServer.set(server, [...(byServer.get(server) ?? []), bundle].slice(0, 2));
  }
  return byServer;
}

/** Returns a problem for each part of a file that makes ToolLoop reject the whole file. */
function refusals(source: SourceDocument, { entries }: ProviderReading): Complaint[] {
  const { value } = source;
  const rejection = (path: readonly string[], what: string): Complaint => ({
    source,
    path,
    code: "owner-refuses",
    message: `${what}: ${LABEL} would reject the whole file because of this`,
    severity: "warning",
  });
  const unknown = isJsonObject(value)
    ? Object.keys(value).filter((key) => key !== "servers" && key !== "bundles")
    : [];
  const bundles = memberAt(value, ["bundles"]);
  return [
    ...unknown.map((key) => rejection([key], `unknown key "${key}"`)),
    ...entries
      .filter(({ owner }) => owner?.valid === false)
      .map(({ name }) => rejection(["servers", name], `server "${name}"`)),
    ...(isJsonObject(bundles) ? Object.entries(bundles).slice(0, maxServers(source)) : []).flatMap(
      ([id, bundle]) => {
        const problem = bundleProblem(bundle, value);
        return problem === undefined ? [] : [rejection(["bundles", id], `bundle "${id}" ${problem}`)];
      },
    ),
  ];
}

/** Returns the first problem of a bundle. */
function bundleProblem(bundle: JsonValue, file: JsonValue): string | undefined {
  if (!isJsonObject(bundle)) return "must be an object";
  const { serverId, mode = "direct", allowTools, denyTools } = bundle;
  if (!hasOnly(bundle, BUNDLE_KEYS)) return "has an unknown key";
  if (typeof serverId !== "string" || memberAt(file, ["servers", serverId]) === undefined)
    return `has a "serverId" that is not in this file`;
  if (mode !== "direct" && mode !== "meta") return `has a "mode" other than "direct" and "meta"`;
  if (allowTools !== undefined && stringsIn(allowTools).length === 0) return `has an empty "allowTools"`;
  if (denyTools !== undefined && !Array.isArray(denyTools)) return `has a "denyTools" that is not a list`;
  return undefined;
}
