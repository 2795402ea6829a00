import {
  type ElicitationRequest,
  type ElicitationResult,
  type JsonObject,
  type JsonValue,
  messageOf,
  type QuestionHandlers,
  type Root,
  type RootsResult,
  type SamplingResult,
  shortText,
  truncate,
} from "../../model/index.ts";
import type { Clock, Log } from "../../platform/index.ts";
import { whileAnswering } from "./answering-context.ts";
import { type Form, type MaskText, readForm } from "./form.ts";
import type { RequestHandler } from "./peer.ts";
import { createRateLimit } from "./rate-limit.ts";
import {
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  REJECTED_BY_PERSON,
  RpcRefusal,
  TEMPORARY_ERROR,
  TOO_MANY,
} from "./rpc-refusal.ts";
import { readSampling, toSamplingResult } from "./sampling.ts";

/** How many requests one server may send within `QUESTIONS_MS`. */
const MOST_QUESTIONS = 60;
const QUESTIONS_MS = 60_000;
/** How many of its requests may be open at the same time. */
const MOST_OPEN = 8;
const LONGEST_MESSAGE = 4_000;
/** How much of a message is masked before it is cut. Masked secrets are shorter. */
const LONGEST_MASKED = 64 * LONGEST_MESSAGE;
const LONGEST_URL = 16 * 1024;

export interface AnswererOptions {
  /** The configured name. The name that a server gives itself is never shown as the sender. */
  readonly server: string;
  readonly handlers: QuestionHandlers;
  /** Answers every request instead of the handlers, with the server's own words. */
  readonly relay?: RequestHandler | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Masks the secrets known so far. Not set if there are none. */
  mask?(): MaskText | undefined;
  /** Called when a person is required and no handler is set. */
  onUnanswered(): void;
}

/** Answers the requests of one server, in both eras. */
export class ServerRequestHandler {
  /** The number of running calls to this server that were made while answering a request. */
  nestedCalls = 0;

  readonly #options: AnswererOptions;
  /** Returns whether the server may send another request, and counts it. */
  readonly mayAsk: () => boolean;
  #open = 0;

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.mayAsk = createRateLimit(options.clock, MOST_QUESTIONS, QUESTIONS_MS);
  }

  readonly answer: RequestHandler = async (method, params, signal, origin) => {
    if (!this.mayAsk()) throw TOO_MANY;
    return this.answerAllowed(method, params, signal, origin);
  };

  /** Answers a request that was already counted. */
  readonly answerAllowed: RequestHandler = async (method, params, signal, origin) => {
    const { relay } = this.#options;
    const answer = relay
      ? () => relay(method, params, signal, origin)
      : this.#answerTo(method, params, signal);
    if (this.nestedCalls > 0)
      throw new RpcRefusal(TEMPORARY_ERROR, "A call that answers a request cannot send another request.");
    if (this.#open >= MOST_OPEN) throw new RpcRefusal(TEMPORARY_ERROR, "Too many open requests.");
    this.#open += 1;
    try {
      return await whileAnswering(answer);
    } catch (error) {
      if (error instanceof RpcRefusal) throw error;
      // The server must not see details of an error in this program.
      const { server, log } = this.#options;
      log.log("error", "question.failed", { server, method: truncate(method, 100), error: messageOf(error) });
      throw new RpcRefusal(-32603, "The request could not be answered.");
    } finally {
      this.#open -= 1;
    }
  };

  #answerTo(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
  ): () => Promise<ElicitationResult | SamplingResult | RootsResult> {
    const { server, handlers, onUnanswered } = this.#options;
    const { onElicitation, onSampling, roots } = handlers;
    switch (method) {
      case "elicitation/create":
        if (onElicitation === undefined) {
          onUnanswered();
          break;
        }
        return async () => {
          const mask = this.#options.mask?.() ?? ((text: string) => text);
          const { request, form } = readElicitation(server, params, mask);
          const answer = await onElicitation(request, { signal });
          if (answer.action !== "accept") return { action: answer.action };
          return { action: "accept", ...(form && { content: form.complete(answer.content ?? {}) }) };
        };
      case "sampling/createMessage":
        if (onSampling === undefined) break;
        return async () => {
          const answer = await onSampling(readSampling(server, params), { signal });
          if (answer === undefined) throw new RpcRefusal(REJECTED_BY_PERSON, "The request was rejected.");
          return toSamplingResult(answer);
        };
      case "roots/list":
        if (roots === undefined) break;
        return async () => ({ roots: checkRoots("list" in roots ? await roots.list() : roots) });
      default:
    }
    throw new RpcRefusal(METHOD_NOT_FOUND, `Not supported by this client: ${truncate(method, 100)}`);
  }
}

function readElicitation(
  server: string,
  params: JsonObject,
  mask: MaskText,
): { readonly request: ElicitationRequest; readonly form?: Form } {
  const { mode = "form", message: said, url } = params;
  const text = typeof said === "string" ? said.slice(0, LONGEST_MASKED) : "";
  const message = shortText(mask(text), LONGEST_MESSAGE);
  if (mode === "form") {
    const form = readForm(params["requestedSchema"], mask);
    return { request: { mode, server, message, fields: form.fields }, form };
  }
  if (mode !== "url")
    throw new RpcRefusal(INVALID_PARAMS, "The supported elicitation modes are form and url.");
  if (!isWebAddress(url)) throw new RpcRefusal(INVALID_PARAMS, "The url must be an http or https URL.");
  return { request: { mode, server, message, url } };
}

function isWebAddress(value: JsonValue | undefined): value is string {
  if (typeof value !== "string" || value.length > LONGEST_URL) return false;
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function checkRoots(roots: readonly Root[]): RootsResult["roots"] {
  return roots.map(({ uri, name }) => {
    if (!uri.startsWith("file://")) throw new Error(`the root ${uri} is not a file:// URL`);
    return { uri, ...(name !== undefined && { name }) };
  });
}
