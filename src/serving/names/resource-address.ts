import { createHash } from "node:crypto";

const UI = "ui://";

/** Converts between servers' resource URIs and those that clients of the gateway see. */
export interface ResourceAddresses {
  /** Returns the URI, or the URI template, that clients see. */
  toClient(server: string, uri: string): string;
  /** Returns the server and its own URI; `undefined` without the prefix of a known server. A known prefix always wins. */
  toServer(address: string): { readonly server: string; readonly uri: string } | undefined;
}

/** Addresses have the form `<server>+<uri>`. The scheme `ui://` stays, because clients recognize it. */
export function createResourceAddresses(servers: readonly string[]): ResourceAddresses {
  const slugs = assignSlugs(servers);
  const owners = new Map([...slugs].map(([server, slug]) => [slug, server]));
  let longest = 0;
  for (const slug of owners.keys()) longest = Math.max(longest, slug.length);
  const split = (text: string): { server: string; rest: string } | undefined => {
    // Only the beginning, because hashing every prefix of a long text would block the process.
    const start = text.slice(0, longest + 1);
    for (let at = start.indexOf("+"); at !== -1; at = start.indexOf("+", at + 1)) {
      const server = owners.get(start.slice(0, at));
      if (server !== undefined) return { server, rest: text.slice(at + 1) };
    }
    return undefined;
  };
  return {
    toClient(server, uri) {
      const slug = slugs.get(server) ?? slugOf(server);
      return uri.startsWith(UI) ? `${UI}${slug}+${uri.slice(UI.length)}` : `${slug}+${uri}`;
    },
    toServer(address) {
      const isUi = address.startsWith(UI);
      const found = split(isUi ? address.slice(UI.length) : address);
      return found && { server: found.server, uri: isUi ? `${UI}${found.rest}` : found.rest };
    },
  };
}

/** If several servers have the same slug, each gets a hash in it, so that the order does not matter. */
function assignSlugs(servers: readonly string[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const server of servers) counts.set(slugOf(server), (counts.get(slugOf(server)) ?? 0) + 1);
  return new Map(
    servers.map((server) => {
      const slug = slugOf(server);
      const hash = createHash("sha256").update(server).digest("hex").slice(0, 8);
      return [server, counts.get(slug) === 1 ? slug : `${slug}-${hash}`];
    }),
  );
}

/** A slug is the beginning of a URI scheme, which starts with a letter and is in lower case. */
function slugOf(server: string): string {
  const text = server.toLowerCase().replace(/[^a-z0-9.-]/g, "-");
  return /^[a-z]/.test(text) ? text : `s-${text}`;
}
