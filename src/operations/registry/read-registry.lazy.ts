import { readServerJson } from "../../discovery/index.ts";
import { memberAt } from "../../documents/index.ts";
import {
  HostError,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  safeLine,
  truncate,
} from "../../model/index.ts";
import type { Cancellation } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import { resembledPublisher } from "./look-alikes.ts";
import type { RegistryEntry, RegistrySearch, RegistryServer } from "./registry-api.ts";
import { getFromRegistry } from "./registry-http.ts";
import { toLaunch } from "./registry-launch.ts";

const PAGE = 100;
const MOST_PAGES = 5;
const MOST_SERVERS = 100;
const LONGEST_NAME = 200;
const LONGEST_VERSION = 255;
const LONGEST_TEXT = 300;
const MOST_KINDS = 10;
/** The key under which the official registry stores its own data about a server. */
const OFFICIAL = "io.modelcontextprotocol.registry/official";

/** The registry matches one substring of the name, so Plugboard filters by the other words. */
export async function searchRegistry(
  workspace: Workspace,
  words: string,
  signal: Cancellation | undefined,
): Promise<RegistrySearch> {
  const [first = "", ...rest] = words.toLowerCase().split(/\s+/).filter(Boolean);
  const servers = new Map<string, RegistryServer>();
  let cursor: string | undefined;
  let storedAt: string | undefined;
  for (let page = 0; page < MOST_PAGES && servers.size < MOST_SERVERS; page += 1) {
    const query = new URLSearchParams({ search: first, version: "latest", limit: String(PAGE) });
    if (cursor !== undefined) query.set("cursor", cursor);
    const answer = await getFromRegistry(workspace, `/v0.1/servers?${query.toString()}`, signal);
    storedAt ??= answer.storedAt;
    for (const item of itemsOf(memberAt(answer.value, ["servers"]))) {
      const server = toServer(item);
      if (server === undefined || server.status === "deleted" || servers.size >= MOST_SERVERS) continue;
      const text = `${server.name} ${server.description}`.toLowerCase();
      if (rest.every((word) => text.includes(word)) && !servers.has(server.name))
        servers.set(server.name, server);
    }
    const next = memberAt(answer.value, ["metadata", "nextCursor"]);
    // Stops if the registry repeats a cursor, because the list would never end.
    const isNext = typeof next === "string" && next !== "" && next !== cursor && next.length <= 2_000;
    cursor = isNext ? next : undefined;
    if (cursor === undefined) break;
  }
  return {
    servers: [...servers.values()],
    hasMore: cursor !== undefined,
    ...(storedAt !== undefined && { storedAt }),
  };
}

export async function findInRegistry(
  workspace: Workspace,
  name: string,
  { version = "latest", signal }: { readonly version?: string; readonly signal?: Cancellation | undefined },
): Promise<RegistryEntry> {
  const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  const { value, storedAt } = await getFromRegistry(workspace, path, signal).catch((error: unknown) => {
    if (!(error instanceof HostError) || error.code !== "SERVER_UNKNOWN") throw error;
    const which = version === "latest" ? "" : ` in version ${version}`;
    throw new HostError("SERVER_UNKNOWN", `The registry does not have "${name}"${which}.`, { server: name });
  });
  const entry = toEntry(workspace, value);
  if (entry === undefined || entry.name !== name)
    throw new HostError("CONNECT_FAILED", `The registry returned an invalid response for "${name}".`, {
      server: name,
    });
  return { ...entry, ...(storedAt !== undefined && { storedAt }) };
}

/** Describes a `server.json` or a server card, with the ways to use it. */
export function toEntry(workspace: Workspace, item: JsonValue): RegistryEntry | undefined {
  const server = toServer(item);
  const description = isJsonObject(item) ? item["server"] : undefined;
  if (server === undefined || description === undefined) return undefined;
  const read = readServerJson(description).slice(0, MOST_KINDS);
  const launches = read.map((template) => toLaunch(workspace, template, kindOf(description, template.path)));
  return {
    ...server,
    launches: launches.flatMap((launch) => ("server" in launch ? [launch] : [])),
    refused: launches.flatMap((launch) => ("reason" in launch ? [launch] : [])),
  };
}

/** Returns `undefined` if the item is not a server, or its name does not have the registry's format. */
function toServer(item: JsonValue): RegistryServer | undefined {
  const server = isJsonObject(item) ? item["server"] : undefined;
  if (!isJsonObject(server)) return undefined;
  const { name, version } = server;
  if (typeof name !== "string" || name.length > LONGEST_NAME || !/^[\w.-]+\/[\w.-]+$/.test(name))
    return undefined;
  const official = memberAt(item, ["_meta", OFFICIAL]);
  const { status, statusMessage } = isJsonObject(official) ? official : server;
  const resembles = resembledPublisher(name);
  return {
    name,
    version: typeof version === "string" ? shortLine(version, LONGEST_VERSION) : "",
    description: shortLine(server["description"], LONGEST_TEXT),
    status: status === "deprecated" || status === "deleted" ? status : "active",
    ...(typeof statusMessage === "string" && { statusMessage: shortLine(statusMessage, LONGEST_TEXT) }),
    kinds: kindsOf(server),
    ...(resembles !== undefined && { resembles }),
  };
}

function kindsOf(server: JsonObject): string[] {
  const packages = itemsOf(server["packages"]).flatMap((item) => {
    const type = memberAt(item, ["registryType"]);
    return typeof type === "string" ? [shortLine(type, 20)] : [];
  });
  const remotes = itemsOf(server["remotes"]).length > 0 ? ["remote"] : [];
  return [...new Set([...packages, ...remotes])].slice(0, MOST_KINDS);
}

function kindOf(description: JsonValue, [list, index]: readonly (string | number)[]): string {
  if (list === "remotes" || typeof index !== "number") return "remote";
  const type = memberAt(itemsOf(memberAt(description, ["packages"]))[index], ["registryType"]);
  return typeof type === "string" ? shortLine(type, 20) : "package";
}

function shortLine(text: JsonValue | undefined, length: number): string {
  return typeof text === "string" ? truncate(safeLine(text.slice(0, 4 * length)), length) : "";
}
