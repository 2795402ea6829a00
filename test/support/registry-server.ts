import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One version of a server, as `server.json` describes it, with the registry's own data. */
export interface PublishedServer {
  readonly server: { readonly name: string; readonly version: string; readonly [key: string]: unknown };
  readonly status?: "active" | "deprecated" | "deleted";
  readonly statusMessage?: string;
}

export interface RegistryServer extends AsyncDisposable {
  readonly url: string;
  /** The paths and queries of all requests. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Starts a registry with the API v0.1: search, cursors, versions and deprecations. Versions are in the order of publication. */
export async function startRegistry(
  published: readonly PublishedServer[],
  pageSize = 2,
): Promise<RegistryServer> {
  const requests: string[] = [];
  const latest = (name: string): PublishedServer | undefined =>
    published.findLast(({ server, status }) => server.name === name && status !== "deleted");
  const toResponse = (one: PublishedServer): object => ({
    server: one.server,
    _meta: {
      "io.modelcontextprotocol.registry/official": {
        status: one.status ?? "active",
        ...(one.statusMessage !== undefined && { statusMessage: one.statusMessage }),
        isLatest: latest(one.server.name) === one,
      },
    },
  });
  const answer = (url: URL): object | undefined => {
    const [, name, version] = /^\/v0\.1\/servers\/([^/]+)\/versions\/([^/]+)$/.exec(url.pathname) ?? [];
    if (name !== undefined && version !== undefined) {
      const all = published.filter(({ server }) => server.name === decodeURIComponent(name));
      const wanted = decodeURIComponent(version);
      const found =
        wanted === "latest"
          ? latest(decodeURIComponent(name))
          : all.find(({ server }) => server.version === wanted);
      return found === undefined ? undefined : toResponse(found);
    }
    if (url.pathname !== "/v0.1/servers") return undefined;
    const search = (url.searchParams.get("search") ?? "").toLowerCase();
    const isLatest = url.searchParams.get("version") === "latest";
    const matching = published.filter(
      (one) =>
        one.server.name.toLowerCase().includes(search) &&
        (!isLatest || latest(one.server.name) === one) &&
        one.status !== "deleted",
    );
    const start = Number(url.searchParams.get("cursor") ?? "0");
    const limit = Math.min(pageSize, Number(url.searchParams.get("limit") ?? "30"));
    const next = start + limit < matching.length ? String(start + limit) : undefined;
    return {
      servers: matching.slice(start, start + limit).map(toResponse),
      metadata: { count: Math.min(limit, matching.length - start), ...(next && { nextCursor: next }) },
    };
  };
  const http = createServer((request, response) => {
    requests.push(request.url ?? "");
    const found = answer(new URL(request.url ?? "", "http://localhost"));
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? { error: "Server not found" }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      http.closeAllConnections();
      http.close(() => resolve());
    });
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, stop, [Symbol.asyncDispose]: stop };
}
