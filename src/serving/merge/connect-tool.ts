import { randomUUID } from "node:crypto";
import {
  isJsonObject,
  type JsonObject,
  messageOf,
  type Server,
  safeLine,
  shellWord,
} from "../../model/index.ts";
import { decide, signInServer, type Workspace } from "../../operations/index.ts";
import { settledWithin } from "../../platform/index.ts";
import { seesServer } from "../access/check-rights.ts";
import type { SignInPages } from "../access/sign-in-pages.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import { INVALID_PARAMS, RpcError } from "../rpc-error.ts";
import type { RequestStates } from "../server-requests/request-state.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import type { Offers } from "./offers.ts";
import type { PagedItem } from "./page.ts";

/** The tool for servers that need a person. No server's tool gets its name. */
export const CONNECT = "plugboard_connect";
const KEY = "plugboard-sign-in";
/** How long a call waits for a person who opened the page. */
const SIGN_IN_MS = 120_000;

/** The dependencies for reading the servers' states and asking a modern client. */
interface ConnectContext {
  readonly workspace: Workspace;
  readonly offers: Offers;
  readonly upstreams: Upstreams;
  readonly states: RequestStates;
}

type Need = "approval" | "sign-in";

/** A sign-in that was started for a client. */
interface RunningSignIn {
  readonly url: Promise<string>;
  readonly done: Promise<void>;
  failure: string | undefined;
  isDone: boolean;
}

/** Offers a tool that explains what servers without tools need, because an empty list does not explain it. */
export class ConnectTool {
  readonly #workspace: Workspace;
  readonly #onConnected: (server: string) => void;
  readonly #pages: SignInPages | undefined;
  readonly #running = new Map<string, RunningSignIn>();

  /** With `pages`, people sign in there instead of with a browser of this machine. */
  constructor(workspace: Workspace, onConnected: (server: string) => void, pages?: SignInPages) {
    this.#workspace = workspace;
    this.#onConnected = onConnected;
    this.#pages = pages;
  }

  /** Returns the tool if a server of the endpoint needs a person. An endpoint with one server offers it unchanged. */
  definition(context: ConnectContext, request: ClientRequest): PagedItem[] {
    if (request.client.endpoint.verbatim !== undefined) return [];
    const needs = needsOf(context, request);
    if (needs.size === 0) return [];
    const shown = Array.from(needs, ([server, need]) => `${safeLine(server)} (${need})`).join(", ");
    const server = { type: "string", enum: [...needs.keys()] };
    const value = {
      name: CONNECT,
      title: "Connect a server",
      description: `Shows the user how to enable servers whose tools are missing: ${shown}.`,
      inputSchema: { type: "object", properties: { server }, required: ["server"] },
    };
    return [{ key: CONNECT, value }];
  }

  /** Runs the tool. Returns `undefined` for other tools. */
  async run(context: ConnectContext, request: ClientRequest): Promise<JsonObject | undefined> {
    const { client, params } = request;
    if (params["name"] !== CONNECT || client.endpoint.verbatim !== undefined) return undefined;
    const { server } = isJsonObject(params["arguments"]) ? params["arguments"] : {};
    const need = typeof server === "string" ? needsOf(context, request).get(server) : undefined;
    if (typeof server !== "string")
      throw new RpcError(INVALID_PARAMS, '"server" must be the name of a server.');
    const running = this.#running.get(server);
    if (need === undefined && running === undefined)
      return text(request, `"${safeLine(server)}" does not need anything from the user.`);
    if (need === "approval")
      return text(
        request,
        `"${safeLine(server)}" requires approval. The user can run: plugboard trust ${shellWord(server)}`,
      );
    return this.#signIn(context, request, server, running ?? this.#start(server));
  }

  async #signIn(
    context: ConnectContext,
    request: ClientRequest,
    server: string,
    running: RunningSignIn,
  ): Promise<JsonObject> {
    const { elicitation } = request.capabilities;
    const url = await running.url.catch(() => undefined);
    if (url === undefined) return text(request, running.failure ?? "The sign-in failed.", true);
    const question = {
      mode: "url",
      message: `Sign in to ${safeLine(server)}`,
      url,
      elicitationId: randomUUID(),
    };
    let isAccepted = running.isDone;
    if (!isAccepted && isJsonObject(elicitation) && elicitation["url"] !== undefined) {
      if (request.era === "modern") {
        const { inputResponses, requestState } = request.params;
        const given = isJsonObject(inputResponses) ? inputResponses[KEY] : undefined;
        if (requestState === undefined || !isJsonObject(given)) {
          const { elicitationId: _, ...asked } = question;
          const inputRequests = { [KEY]: { method: "elicitation/create", params: asked } };
          const state = context.states.seal(request, { kind: "again" });
          return { resultType: "input_required", inputRequests, requestState: state };
        }
        context.states.open(request, requestState);
        isAccepted = given["action"] === "accept";
      } else {
        const answer = await request.ask("elicitation/create", question, request.signal);
        isAccepted = answer["action"] === "accept";
      }
    }
    const { clock } = this.#workspace.ports;
    if (isAccepted) await settledWithin(clock, SIGN_IN_MS, running.done);
    if (running.isDone) return text(request, `Signed in to "${safeLine(server)}". Its tools are listed now.`);
    if (running.failure !== undefined) return text(request, running.failure, true);
    return text(request, `The user can sign in to "${safeLine(server)}" at ${url}`);
  }

  #start(server: string): RunningSignIn {
    let shown = (_url: string): void => {};
    let failed = (_error: unknown): void => {};
    const url = new Promise<string>((resolve, reject) => {
      shown = resolve;
      failed = reject;
    });
    url.catch(() => {}); // reported by `failure`
    const signingIn =
      this.#pages === undefined
        ? signInServer(this.#workspace, server, { browser: false, onSignIn: shown })
        : onPage(this.#pages, server, shown);
    const done = signingIn.then(
      () => {
        running.isDone = true;
        this.#onConnected(server);
      },
      (error: unknown) => {
        running.failure = this.#workspace.redactor.redact(messageOf(error));
        failed(error);
      },
    );
    const running: RunningSignIn = { url, done, failure: undefined, isDone: false };
    this.#running.set(server, running);
    void done.then(() => this.#running.delete(server));
    return running;
  }
}

/** Resolves when the person has signed in on a page. */
async function onPage(pages: SignInPages, server: string, shown: (url: string) => void): Promise<void> {
  shown(await pages.linkFor(server));
  const isSignedIn = await pages.signedIn(server, new AbortController().signal);
  if (!isSignedIn) throw new Error("The sign-in was not completed.");
}

/** Returns the servers of the client's endpoint that need a person, each with the reason. */
function needsOf(
  { workspace, offers, upstreams }: ConnectContext,
  request: ClientRequest,
): Map<string, Need> {
  const { endpoint } = request.client;
  const isMine = ({ name }: Server): boolean =>
    seesServer(request.rights, name) &&
    (endpoint.servers?.includes(name) ?? true) &&
    (endpoint.bundles?.some(({ server }) => server === name) ?? true);
  const needs = new Map<string, Need>();
  for (const server of workspace.inventory().servers.values()) {
    const decision = decide(workspace, server);
    if (isMine(server) && !decision.allowed && decision.reason === "untrusted")
      needs.set(server.name, "approval");
  }
  for (const server of offers.servers(request)) {
    const scope = upstreams.scopeFor(request.client, request, server);
    const state = scope.workspace.supervisor.state(server.name)?.kind;
    if (state === "needs_auth" || state === "needs_client_registration") needs.set(server.name, "sign-in");
  }
  return needs;
}

function text(request: ClientRequest, said: string, isError = false): JsonObject {
  const result = { content: [{ type: "text", text: said }], ...(isError && { isError }) };
  return toClientResult(request, result);
}
