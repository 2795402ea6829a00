import { randomUUID } from "node:crypto";
import { RpcRefusal } from "../../connection/index.ts";
import { isJsonObject, type JsonObject } from "../../model/index.ts";
import { type Clock, delay } from "../../platform/index.ts";
import type { ClientRequest } from "../client-request.ts";
import type { ProgressRelay } from "../relay/progress.ts";
import { INVALID_PARAMS, RpcError } from "../rpc-error.ts";
import type { Question } from "./question.ts";
import { invalidState } from "./request-state.ts";

/** Requests that a server sends within this time are returned to the client together. */
const TOGETHER_MS = 25;
const MOST_QUESTIONS = 16;

interface OpenQuestion extends Question {
  readonly key: string;
  resolve(answer: JsonObject): void;
  reject(error: Error): void;
}

/** The outcome of a modern client's request: the server's result, or requests that the client must answer first. */
export type CallOutcome<T> =
  | { readonly result: T }
  | { readonly inputRequests: JsonObject; readonly round: number };

/** One modern call at a time runs on some connections. */
export interface Turn {
  /** Resolves when all earlier calls have ended or wait for answers. */
  take(): Promise<void>;
  end(): void;
}

/** A modern client's call to a legacy server. It continues while the client answers the server's requests. */
export class SuspendableCall<T> {
  readonly id: string = randomUUID();
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #open = new Map<string, OpenQuestion>();
  #count = 0;
  #round = 0;
  /** Wakes `#next` when the server sends a request. */
  #wake: () => void = () => {};
  #running: Promise<CallOutcome<T>> | undefined;
  #answer: Promise<T> | undefined;
  #isSuspended = false;
  readonly progress: ProgressRelay;
  /** Set if the call takes turns with others. Other calls run while it waits for the client's answers. */
  turn: Turn | undefined;
  /** The client's request that waits for this call now. */
  #request: ClientRequest | undefined;

  constructor(clock: Clock, progress: ProgressRelay) {
    this.#clock = clock;
    this.progress = progress;
  }

  /** Cancels the call at the server. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether it waits for the client's answers. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Starts the call. Resolves with its result or with the server's first requests. */
  start(request: ClientRequest, send: () => Promise<T>): Promise<CallOutcome<T>> {
    this.#answer = send();
    this.#answer.catch(() => {}); // a suspended call may fail while no client waits for it
    return this.#run(request);
  }

  /** Continues the call with a client's answers. A retry that is repeated while the outcome is pending gets the same outcome. */
  resume(request: ClientRequest, round: number, inputResponses: unknown): Promise<CallOutcome<T>> {
    if (this.#running !== undefined && round === this.#round - 1) return this.#running;
    if (this.#running !== undefined || round !== this.#round) throw invalidState();
    const responses = isJsonObject(inputResponses) ? inputResponses : {};
    for (const { key } of this.#open.values())
      if (responses[key] !== undefined && !isJsonObject(responses[key]))
        throw new RpcError(INVALID_PARAMS, `The response to "${key}" must be an object.`);
    this.#round += 1;
    return this.#run(request, () => {
      for (const question of Array.from(this.#open.values())) {
        const response = responses[question.key];
        if (!isJsonObject(response)) continue;
        this.#open.delete(question.key);
        question.resolve(response);
      }
    });
  }

  /** Handles a request from the server. Resolves with the client's answer. */
  ask({ method, params }: Question, signal: AbortSignal): Promise<JsonObject> {
    if (this.#open.size >= MOST_QUESTIONS) throw new RpcRefusal(-32000, "Too many open requests.");
    return new Promise((resolve, reject) => {
      this.#count += 1;
      const key = `request-${this.#count}`;
      this.#open.set(key, { key, method, params, resolve, reject });
      signal.addEventListener("abort", () => this.#open.delete(key), { once: true });
      this.#wake();
    });
  }

  /** Ends the call. Its server gets no answers. */
  end(reason: string): void {
    this.#abort.abort();
    for (const { reject } of this.#open.values()) reject(new RpcRefusal(-32603, reason));
    this.#open.clear();
  }

  /** Sends a notification on the stream of the request that waits now. Dropped while none does. */
  notify(method: string, params: JsonObject): void {
    this.#request?.notify(method, params);
  }

  #run(request: ClientRequest, answer?: () => void): Promise<CallOutcome<T>> {
    this.#request = request;
    const onAbort = (): void => this.end("The client cancelled the call.");
    request.signal.addEventListener("abort", onAbort, { once: true });
    this.progress.attach(request);
    const running = this.#continue(answer).finally(() => {
      this.turn?.end();
      request.signal.removeEventListener("abort", onAbort);
      this.progress.detach();
      if (this.#request === request) this.#request = undefined;
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #continue(answer: (() => void) | undefined): Promise<CallOutcome<T>> {
    if (answer !== undefined) {
      await this.turn?.take();
      this.#isSuspended = false;
      answer();
    }
    const outcome = await this.#next();
    this.#isSuspended = "inputRequests" in outcome;
    return outcome;
  }

  async #next(): Promise<CallOutcome<T>> {
    const answer = this.#answer;
    if (answer === undefined) throw invalidState();
    const asked = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    // Requests that came while the client was answering are returned immediately.
    if (this.#open.size > 0) return this.#questions();
    const first = await Promise.race([answer.then((result) => ({ result })), asked]);
    if (first !== undefined) return first;
    await Promise.race([answer.catch(() => {}), delay(this.#clock, TOGETHER_MS)]);
    return this.#open.size > 0 ? this.#questions() : { result: await answer };
  }

  #questions(): CallOutcome<T> {
    const requests = Array.from(this.#open.values(), ({ key, method, params }) => [key, { method, params }]);
    return { inputRequests: Object.fromEntries(requests) as JsonObject, round: this.#round };
  }
}
