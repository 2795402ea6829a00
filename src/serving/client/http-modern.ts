import type { JsonObject } from "../../model/index.ts";
import { scopeIn } from "../access/check-rights.ts";
import { clientKey, type Rights } from "../access/rights.ts";
import type { Client, ClientRequest } from "../client-request.ts";
import type { Endpoint } from "../endpoint.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { unknownMethod } from "../relay/dispatch.ts";
import {
  HEADER_MISMATCH,
  isBusy,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  RpcError,
  retryAfter,
  TRY_LATER,
  UNSUPPORTED_VERSION,
} from "../rpc-error.ts";
import { answerRequest } from "./answer-request.ts";
import { claimedVersion, modernFacts, withoutExcluded } from "./client-messages.ts";
import { HttpAnswer } from "./http-answer.ts";
import type { HttpMessage } from "./http-message.ts";
import { checkHeaders, checkParameterHeaders } from "./request-headers.ts";

const STATUS = new Map([
  [METHOD_NOT_FOUND, 404],
  [HEADER_MISMATCH, 400],
  [MISSING_CAPABILITY, 400],
  [UNSUPPORTED_VERSION, 400],
]);

/** Modern requests over HTTP. They are independent of each other. Closing the response cancels the request. */
export class HttpModern {
  readonly #context: GatewayContext;
  /** One client per endpoint and rights: the modern era has no sessions, and all requests here belong to the same person. */
  readonly #clients = new Map<string, Client>();

  constructor(context: GatewayContext) {
    this.#context = context;
  }

  async post({ endpoint, request, response, message, headers, rights }: HttpMessage): Promise<void> {
    if (message.kind !== "request") return response.send(202, headers);
    const { id, method, params } = message;
    const answer = new HttpAnswer(response, this.#context, headers);
    const abort = new AbortController();
    response.onClose((isComplete) => {
      if (!isComplete) abort.abort();
    });
    const refuse = (error: RpcError, status: number): void =>
      void answer.finish(status, { jsonrpc: "2.0", id, error: error.toJson() });
    let asked: ClientRequest;
    try {
      const version = claimedVersion(params);
      if (typeof version === "string") checkHeaders(request, method, params, version);
      asked = {
        ...withoutExcluded(modernFacts(params), this.#context.workspace.inventory().settings),
        client: this.#clientOf(endpoint, rights),
        rights,
        relayed: {},
        method,
        params,
        signal: abort.signal,
        notify: (notice, content: JsonObject) =>
          answer.send({ jsonrpc: "2.0", method: notice, params: content }),
        ask: () => Promise.reject(unknownMethod("requests to modern clients")),
      };
      await checkParameterHeaders(request, this.#context, asked);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return refuse(error, 400);
    }
    const result = await answerRequest(this.#context, asked, id);
    if (result === undefined) return;
    if (isBusy(result.error)) return result.sent(answer.finish(503, result.message, TRY_LATER));
    const seconds = retryAfter(result.error);
    if (seconds !== undefined)
      return result.sent(answer.finish(429, result.message, { "retry-after": String(seconds) }));
    const scope = result.error && scopeIn(result.error);
    if (scope !== undefined && rights !== undefined)
      return result.sent(answer.finish(403, result.message, rights.scopeChallenge(endpoint.path, scope)));
    const status = (result.error && STATUS.get(result.error.code)) ?? 200;
    result.sent(answer.finish(status, result.message));
  }

  #clientOf(endpoint: Endpoint, rights: Rights | undefined): Client {
    const key = clientKey(endpoint, rights);
    const client: Client = this.#clients.get(key) ?? {
      id: `modern ${key}`,
      endpoint,
      isLocal: this.#context.isLocal,
      logLevel: undefined,
      notify: () => {},
    };
    client.endpoint = endpoint; // its rules may have changed since the last request
    this.#clients.set(key, client);
    return client;
  }
}
