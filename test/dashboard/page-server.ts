/** Serves the built pages with the documents of a `PageWorld`, for states that a real gateway reaches only with much effort. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import type { PageError, PageSnapshot, PageTopic } from "../../src/page-api.ts";
import { documentAt } from "./page-documents.ts";
import type { PageWorld } from "./page-world.ts";

/** The policy of the gateway's own pages. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const TOPICS: readonly PageTopic[] = [
  "servers",
  "tools",
  "clients",
  "connections",
  "approvals",
  "activity",
  "metrics",
];

export interface Write {
  readonly path: string;
  readonly body: unknown;
}

/** What a request gets instead of its document. */
export type Fault =
  | "hang"
  | { readonly status: number; readonly code: string; readonly message: string; readonly hint?: string };

export interface PageServer extends AsyncDisposable {
  readonly url: string;
  world: PageWorld;
  /** Everything that the pages wrote. */
  readonly writes: Write[];
  /** Decides about a request: undefined is the usual response. */
  fault: (path: string, method: string) => Fault | undefined;
  /** Responds to a write. Undefined is `{ ok: true }`. */
  onWrite: (write: Write) => unknown;
  /** Forgets writes and faults, and shows another world. */
  reset(world: PageWorld): void;
  /** Reports that documents changed. */
  publish(...topics: readonly PageTopic[]): void;
  /** Ends all connections, and refuses new ones until `resume`. */
  interrupt(): Promise<void>;
  resume(): Promise<void>;
  readonly streams: number;
}

export async function startPageServer(
  world: PageWorld,
  folder = "dist/surfaces/dashboard",
): Promise<PageServer> {
  const streams = new Set<ServerResponse>();
  const revisions = Object.fromEntries(TOPICS.map((topic) => [topic, 1])) as Record<PageTopic, number>;
  let number = 0;
  const snapshot = (): string => {
    number += 1;
    const value: PageSnapshot = {
      number,
      process: "process-1",
      at: Date.now(),
      revisions,
      overview: page.world.overview,
    };
    return `id: ${number}\nevent: snapshot\ndata: ${JSON.stringify(value)}\n\n`;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", "http://pages");
    if (!pathname.startsWith("/api/v1/")) return sendFile(response, folder, pathname);
    const path = pathname.slice("/api/v1/".length);
    const fault = page.fault(path + search, request.method ?? "GET");
    if (fault === "hang") return;
    if (fault !== undefined) return sendJson(response, fault.status, { error: fault } satisfies PageError);
    if (path === "events") {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      streams.add(response);
      response.on("close", () => streams.delete(response));
      response.write(snapshot());
      return;
    }
    if (request.method === "POST") {
      if (request.headers["x-plugboard"] !== "1") throw new Error(`${path}: a write without the header`);
      const write = { path, body: JSON.parse(await text(request)) as unknown };
      page.writes.push(write);
      return sendJson(response, 200, page.onWrite(write) ?? writeAnswer(path, page.world));
    }
    const document = documentAt(page.world, path.split("/").map(decodeURIComponent), searchParams, revisions);
    if (document === undefined)
      return sendJson(response, 404, { error: { code: "PAGE_UNKNOWN", message: `There is no ${path}.` } });
    sendJson(response, 200, document);
  };

  const listen = async (port: number): Promise<Server> => {
    const server = createServer((request, response) => {
      answer(request, response).catch((error: unknown) => {
        sendJson(response, 500, { error: { code: "INTERNAL_BUG", message: String(error) } });
      });
    });
    server.listen(port, "127.0.0.1");
    await new Promise((listening) => server.once("listening", listening));
    return server;
  };
  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    const closed = new Promise((done) => closing.close(done));
    closing.closeAllConnections();
    await closed;
  };

  const page: PageServer = {
    url: `http://127.0.0.1:${port}/`,
    world,
    writes: [],
    fault: () => undefined,
    onWrite: () => undefined,
    reset(next) {
      page.world = next;
      page.writes.length = 0;
      page.fault = () => undefined;
      page.onWrite = () => undefined;
    },
    publish(...topics) {
      for (const topic of topics) revisions[topic] += 1;
      for (const stream of streams) stream.write(snapshot());
    },
    interrupt: close,
    resume: async () => void (server ??= await listen(port)),
    get streams() {
      return streams.size;
    },
    [Symbol.asyncDispose]: close,
  };
  return page;
}

function writeAnswer(path: string, { session, preview, call }: PageWorld): unknown {
  if (path === "session") return session;
  if (path.endsWith("/preview")) return preview;
  if (path.endsWith("/call")) return call;
  if (path === "connections/sign-in") return { id: "sign-in-1", server: "notes", state: "starting" };
  return { ok: true };
}

function sendFile(response: ServerResponse, folder: string, pathname: string): void {
  const name = normalize(pathname === "/" ? "index.html" : pathname.slice(1));
  const type = TYPES[extname(name)];
  try {
    const content = readFileSync(join(folder, name));
    response.writeHead(200, {
      "Content-Type": type ?? "application/octet-stream",
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}

function sendJson(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify(document));
}
