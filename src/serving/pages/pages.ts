import { isJsonObject, type JsonObject } from "../../model/index.ts";
import type { Workspace } from "../../operations/index.ts";
import type { IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import { parseMessage } from "../client/parse-message.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { invalidRequest, PageFailure, toFailedResponse, unknownItem } from "./page-failure.ts";
import type { FindPageFile } from "./page-files.ts";
import { cookieFor, ownOrigin, PAGE_HEADERS, type PageSite, sessionIds } from "./page-request.ts";
import { assertMay } from "./page-rights.ts";
import type { OpenPageSession, PageSessions } from "./page-sessions.ts";
import type { PageStreams } from "./page-streams.ts";
import { type Route, RouteTable } from "./route.ts";
import { safeDocument } from "./safe-document.ts";
import { sessionDocument } from "./session-document.ts";

/** The largest body of a request. */
const LARGEST_BODY = 1024 * 1024;
const DEEPEST = 128;
const API = "api/v1/";
const JSON_TYPE = { "content-type": "application/json" } as const;

/** The parts of the pages. */
export interface PagesOptions {
  readonly context: Pick<GatewayContext, "workspace">;
  readonly sessions: PageSessions;
  readonly streams: PageStreams;
  readonly findFile: FindPageFile;
  readonly routes: readonly Route[];
}

/** A request, and where it arrived. */
interface Exchange {
  readonly request: IncomingRequest;
  readonly response: OutgoingResponse;
  readonly site: PageSite;
  /** The path after the page's own, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Answers the requests of the dashboard's pages: their files, and the page API. */
export class Pages {
  readonly #options: PagesOptions;
  readonly #routes: RouteTable;

  constructor(options: PagesOptions) {
    this.#options = options;
    this.#routes = new RouteTable(options.routes);
  }

  /** Answers a request below the path of the page. Never rejects. */
  async handle(request: IncomingRequest, response: OutgoingResponse, site: PageSite): Promise<void> {
    const { redactor } = this.#options.context.workspace;
    try {
      const [, path = "", query = ""] =
        /^([^?]*)\??(.*)$/s.exec(request.target.slice(site.path.length)) ?? []; // URL would resolve ".."
      const exchange = { request, response, site, path, query: new URLSearchParams(query) };
      if (exchange.path.startsWith(API)) await this.#answer(exchange);
      else await this.#sendFile(exchange);
    } catch (error) {
      const { status, body } = toFailedResponse(error, redactor);
      const close = status === 413 ? { connection: "close" } : {};
      response.send(status, { ...PAGE_HEADERS, ...JSON_TYPE, ...close }, JSON.stringify(body));
    }
  }

  async #sendFile({ request, response, site, path }: Exchange): Promise<void> {
    ownOrigin(request, site, path === "" ? "document" : "read");
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed(response, "GET");
    const file = await this.#options.findFile(path === "" ? "index.html" : path);
    if (file === undefined) throw unknownItem();
    response.send(200, { ...PAGE_HEADERS, ...file.headers }, file.body);
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { request, response, site, path } = exchange;
    const isWrite = request.method !== "GET";
    const origin = ownOrigin(request, site, isWrite ? "write" : "read");
    const route = path.slice(API.length);
    if (route === "session" && request.method === "POST") return this.#signIn(exchange, origin);
    const ids = sessionIds(request, origin);
    const { sessions, streams } = this.#options;
    const session = ids.map((id) => sessions.find(id)).find((one) => one !== undefined);
    if (session === undefined) throw signedOut();
    if (route === "session" && request.method === "GET") return this.#send(response, this.#describe(session));
    if (route === "session/end" && request.method === "POST") {
      for (const id of ids) sessions.end(id);
      return this.#send(response, { ok: true }, { "set-cookie": cookieFor(origin, site, undefined) });
    }
    if (route === "events" && request.method === "GET") return streams.open(response, session);
    return this.#run(exchange, route, session);
  }

  async #run(exchange: Exchange, path: string, session: OpenPageSession): Promise<void> {
    const { request, response, query } = exchange;
    const found = this.#routes.find(request.method, path);
    if (found === undefined) throw unknownItem();
    if ("allowed" in found) return notAllowed(response, found.allowed);
    const { route, names } = found;
    assertMay(session.person, route.right);
    const body = route.method === "POST" ? await readBody(request) : {};
    const abort = new AbortController();
    const forget = session.onEnd(() => abort.abort());
    response.onClose((isComplete) => {
      forget();
      if (!isComplete) abort.abort();
    });
    const { signal } = abort;
    const { person } = session;
    this.#send(response, await route.answer({ person, names, query, body, signal }));
  }

  async #signIn({ request, response, site }: Exchange, origin: string): Promise<void> {
    const { ticket } = await readBody(request);
    const { sessions, context } = this.#options;
    await refuseOtherUsers(request, context.workspace);
    const { id, session } = sessions.redeem(typeof ticket === "string" ? ticket : "");
    for (const earlier of sessionIds(request, origin)) sessions.end(earlier);
    this.#send(response, this.#describe(session), { "set-cookie": cookieFor(origin, site, id) });
  }

  #describe(session: OpenPageSession): object {
    return sessionDocument(this.#options.context.workspace, session);
  }

  #send(response: OutgoingResponse, document: object, headers: Readonly<Record<string, string>> = {}): void {
    const text = JSON.stringify(safeDocument(document, this.#options.context.workspace.redactor));
    response.send(200, { ...PAGE_HEADERS, ...JSON_TYPE, ...headers }, text);
  }
}

/** Other users of the machine can see the address while it is passed to the browser. */
async function refuseOtherUsers(request: IncomingRequest, { environment }: Workspace): Promise<void> {
  const [own, sender] = [environment.user?.uid, await request.sender?.()];
  if (own === undefined || sender === undefined || sender === own || sender === 0) return;
  throw new PageFailure(403, "PAGE_FOREIGN", "The address belongs to another user of this machine.");
}

function signedOut(): PageFailure {
  const hint = "To open the dashboard: plugboard dashboard";
  return new PageFailure(401, "PAGE_SIGNED_OUT", "You are signed out.", hint);
}

function notAllowed(response: OutgoingResponse, allow: string): void {
  const error = { code: "PAGE_REQUEST_INVALID", message: `Use ${allow}.` };
  response.send(405, { ...PAGE_HEADERS, ...JSON_TYPE, allow }, JSON.stringify({ error }));
}

async function readBody(request: IncomingRequest): Promise<JsonObject> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? ""))
    throw invalidRequest("The content type must be application/json.", 415);
  const text = await request.readBody(LARGEST_BODY);
  if (text === undefined) throw invalidRequest("The request is too large.", 413);
  const body = text === "" ? {} : await parseMessage(text);
  if (!isJsonObject(body)) throw invalidRequest("The request must be a JSON object.");
  if (isDeeperThan(body, DEEPEST)) throw invalidRequest("The request is nested too deeply.");
  return body;
}

/** Arguments of calls are processed by functions that call themselves. */
function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((member) => isDeeperThan(member, most - 1));
}
