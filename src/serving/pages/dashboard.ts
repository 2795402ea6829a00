import { isJsonObject } from "../../model/index.ts";
import type { HttpListener, IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import { ProofCheck } from "../access/key-proof.ts";
import { loopbackNames, readSecretFile } from "../access/local-access.ts";
import type { GatewayContext } from "../gateway-context.ts";
import type { PageRole } from "./api/page.ts";
import { PageFailure, toFailedResponse } from "./page-failure.ts";
import { ownOrigin, PAGE_HEADERS, type PageSite } from "./page-request.ts";
import type { PagePerson } from "./page-rights.ts";
import { type PageSessions, randomId } from "./page-sessions.ts";
import type { Pages } from "./pages.ts";

export const DASHBOARD_PATH = "/dashboard/";
const TICKETS = `${DASHBOARD_PATH}tickets`;
/** Programs of the user that can read this file may open the dashboard. Clients of the gateway have another token. */
export const DASHBOARD_KEY = "dashboard-key";
const LARGEST_BODY = 4_096;

/** How to open the dashboard. */
export interface OpenDashboardOptions {
  /** `true` shows everything and changes nothing. Default: `false`. */
  readonly readOnly?: boolean | undefined;
}

/** The dashboard of a gateway: pages for the browser of the user. */
export interface Dashboard {
  /** Returns an address that opens the dashboard once, within a minute. */
  createAddress(options?: OpenDashboardOptions): string;
}

/** The parts of the dashboard. */
export interface DashboardParts {
  readonly context: Pick<GatewayContext, "workspace">;
  readonly sessions: PageSessions;
  readonly pages: Pages;
  readonly listener: HttpListener;
  /** Starts telling pages about changes. Returns a function that stops that. */
  follow(): () => void;
}

/** Serves the dashboard at a path that only the user's own programs and pages know. */
export class DashboardServer {
  readonly #parts: DashboardParts;
  readonly #path = `${DASHBOARD_PATH}${randomId()}/`;
  readonly #proofs: ProofCheck;
  #stopFollowing: (() => void) | undefined;
  #opening: Promise<{ readonly port: number; close(): Promise<void> }> | undefined;

  constructor(parts: DashboardParts) {
    this.#parts = parts;
    this.#proofs = new ProofCheck(parts.context.workspace.ports.clock);
  }

  /** Returns whether a request is for the dashboard. */
  owns({ target }: IncomingRequest): boolean {
    return target.startsWith(DASHBOARD_PATH);
  }

  /** Answers a request that arrived at a port of this machine. */
  handle(request: IncomingRequest, response: OutgoingResponse, port: number): void {
    const site = this.#siteAt(port);
    if (request.target.startsWith(site.path)) void this.#parts.pages.handle(request, response, site);
    else void this.#answerOthers(request, response, site);
  }

  /** Opens the dashboard on its own port, unless it is already open. */
  async open(): Promise<Dashboard> {
    this.#opening ??= this.#parts.listener.listen({ host: "127.0.0.1", port: 0 }, (request, response) => {
      void this.#opening?.then(({ port }) => this.handle(request, response, port));
    });
    const { port } = await this.#opening;
    return {
      createAddress: (options) => this.createAddress(`http://127.0.0.1:${port}`, options),
    };
  }

  createAddress(origin: string, { readOnly = false }: OpenDashboardOptions = {}): string {
    this.#stopFollowing ??= this.#parts.follow();
    const ticket = this.#parts.sessions.createTicket(this.#person(readOnly ? "auditor" : "administrator"));
    return `${origin}${this.#path}#ticket=${ticket}`;
  }

  async close(): Promise<void> {
    this.#parts.sessions.close();
    this.#stopFollowing?.();
    await (await this.#opening)?.close();
  }

  #siteAt(port: number): PageSite {
    return { origins: loopbackNames(port).map((name) => `http://${name}`), path: this.#path };
  }

  /** Creates addresses for `plugboard dashboard`. Everything else does not exist. */
  async #answerOthers(request: IncomingRequest, response: OutgoingResponse, site: PageSite): Promise<void> {
    const { workspace } = this.#parts.context;
    const headers = { ...PAGE_HEADERS, "content-type": "application/json" };
    try {
      const origin = ownOrigin(request, site, "document");
      const { method, target, headers: given } = request;
      if (target !== TICKETS || method !== "POST") throw new PageFailure(404, "PAGE_UNKNOWN", "Not found.");
      if (given["origin"] !== undefined) throw new PageFailure(403, "PAGE_FOREIGN", "Not for pages.");
      const { text: key } = await readSecretFile(workspace, DASHBOARD_KEY);
      if (!this.#proofs.accepts(given["authorization"], key, new URL(origin).host))
        throw new PageFailure(401, "PAGE_SIGNED_OUT", "A proof of the key is required.");
      const readOnly = isReadOnly(await request.readBody(LARGEST_BODY));
      const address = this.createAddress(origin, { readOnly });
      response.send(200, headers, JSON.stringify({ address }));
    } catch (error) {
      const { status, body } = toFailedResponse(error, workspace.redactor);
      response.send(status, headers, JSON.stringify(body));
    }
  }

  #person(role: PageRole): PagePerson {
    const { USER, LOGNAME, USERNAME } = this.#parts.context.workspace.environment.variables;
    return { name: USER ?? LOGNAME ?? USERNAME ?? "you", role };
  }
}

function isReadOnly(text: string | undefined): boolean {
  try {
    const body: unknown = JSON.parse(text ?? "");
    return isJsonObject(body) && body["readOnly"] === true;
  } catch {
    return false;
  }
}
