import { loadAddressClass } from "../../auth/index.ts";
import { memberAt } from "../../documents/index.ts";
import { HostError, isJsonObject, itemsOf, type JsonValue, messageOf } from "../../model/index.ts";
import type { Cancellation } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import { toEntry } from "./read-registry.lazy.ts";
import type { ServerCard } from "./registry-api.ts";
import { requestJson } from "./request-json.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_CARDS = 10;
const REDIRECTS = 3;
const CARD_TYPES: readonly (JsonValue | undefined)[] = [
  "application/mcp-server-card+json",
  "application/mcp-server+json",
];
/** Catalogs of the current and the earlier draft, and the place of a single card that many sites use. */
const CATALOGS = ["/.well-known/ai-catalog.json", "/.well-known/mcp/catalog.json"];
const SINGLE_CARD = "/.well-known/mcp/server-card.json";
const ACCEPT = "application/mcp-server-card+json, application/mcp-server+json, application/json";

/** Reads the server cards of a website. They are as untrusted as a registry's entries. */
export async function readCards(
  workspace: Workspace,
  address: string,
  signal: Cancellation | undefined,
): Promise<readonly ServerCard[]> {
  const site = siteOf(address);
  const addressClass = await loadAddressClass();
  const get = (url: URL): Promise<JsonValue> =>
    requestJson(workspace.ports, url, {
      mostBytes: MOST_BYTES,
      missing: `${url.href} does not exist.`,
      accept: ACCEPT,
      redirects: REDIRECTS,
      // The user named only the site, so its catalog must not make this machine send requests to others in the local network.
      guard(target) {
        if (target.origin === site.origin) return undefined;
        if (target.protocol !== "https:") throw new Error(`it refers to ${target.protocol}//, not https`);
        return (found) => found === undefined || addressClass(found) === "public";
      },
      signal,
    });
  const reasons: string[] = [];
  const attempt = async (url: URL): Promise<JsonValue | undefined> => {
    try {
      return await get(url);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      if (!(error instanceof HostError)) reasons.push(`${url.href}: ${messageOf(error)}`);
      return undefined;
    }
  };
  const readCard = async (url: URL): Promise<ServerCard[]> => {
    const value = await attempt(url);
    const entry = value === undefined ? undefined : toEntry(workspace, { server: remoteOnly(value) });
    if (value !== undefined && entry === undefined) reasons.push(`${url.href}: it is not a server card`);
    return entry === undefined ? [] : [{ ...entry, cardUrl: url.href }];
  };

  if (site.pathname !== "/") {
    const isCard = /\/server-card$|\.json$/.test(site.pathname);
    const url = isCard ? site : new URL(`${site.pathname.replace(/\/$/, "")}/server-card`, site);
    const found = await readCard(url);
    return found.length > 0 ? found : refuse(site, reasons);
  }
  for (const path of CATALOGS) {
    const catalog = await attempt(new URL(path, site));
    const urls = itemsOf(memberAt(catalog, ["entries"]))
      .flatMap((entry) => cardUrl(entry, site))
      .slice(0, MOST_CARDS);
    const cards = (await Promise.all(urls.map(readCard))).flat();
    if (cards.length > 0) return cards;
  }
  const single = await readCard(new URL(SINGLE_CARD, site));
  return single.length > 0 ? single : refuse(site, reasons);
}

function siteOf(address: string): URL {
  const text = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (
    url === undefined ||
    url.username !== "" ||
    url.password !== "" ||
    (url.protocol !== "https:" && !isLocal)
  )
    throw new HostError("CONFIG_INVALID", "The address of a website must be a host name or an https URL.");
  return url;
}

function cardUrl(entry: JsonValue, site: URL): URL[] {
  if (!isJsonObject(entry)) return [];
  const { mediaType, type, url } = entry;
  const isCard = CARD_TYPES.includes(mediaType ?? type);
  return isCard && typeof url === "string" && URL.canParse(url, site.href) ? [new URL(url, site)] : [];
}

/** A card describes remote servers. Packages in it would run a program on this machine. */
function remoteOnly(card: JsonValue): JsonValue {
  if (!isJsonObject(card)) return card;
  const { packages: _, ...rest } = card;
  return rest;
}

function refuse({ host }: URL, [reason]: readonly string[]): never {
  throw new HostError("SERVER_UNKNOWN", `${host} does not publish a server card.`, {
    ...(reason !== undefined && { hint: reason }),
  });
}
