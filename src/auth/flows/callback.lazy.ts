import { timingSafeEqual } from "node:crypto";
import { codeOf, HostError } from "../../model/index.ts";
import type { Loopback, LoopbackAnswer } from "../../platform/index.ts";
import { callbackPage } from "./callback-page.ts";

/** The local listener that receives the browser's redirect. */
export interface Callback {
  readonly redirectUri: string;
  /** Resolves with the first response that has the right state. The browser waits until `say` is called. */
  answered(state: string): Promise<CallbackAnswer>;
  close(): Promise<void>;
}

export interface CallbackAnswer {
  readonly parameters: URLSearchParams;
  /** Shows the result in the browser: the error, or success if there is none. */
  say(error?: string): void;
}

const PATH = "/callback";
const ENDED_PAGE = callbackPage(410, "This sign-in has ended.");

/** Listens on 127.0.0.1. Rejects if the port is in use, because the other program would receive the response. */
export async function openCallback(
  loopback: Loopback,
  wanted: { readonly port?: number | undefined; readonly redirectUri?: string | undefined },
): Promise<Callback> {
  const given = wanted.redirectUri === undefined ? undefined : new URL(wanted.redirectUri);
  const path = given?.pathname ?? PATH;
  const port = wanted.port ?? (given === undefined ? 0 : Number(given.port || 80));
  let endPage = (): void => {};
  let take: ((parameters: URLSearchParams) => LoopbackAnswer | Promise<LoopbackAnswer>) | undefined;
  const server = await loopback
    .listen(port, (request) => {
      const address = `http://127.0.0.1${request.target}`;
      const target = URL.canParse(address) ? new URL(address) : undefined;
      if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.host))
        return callbackPage(400, "Invalid host.");
      if (target?.pathname !== path) return callbackPage(404, "Page not found.");
      if (request.method !== "GET") return callbackPage(405, "Method not allowed.");
      return take?.(target.searchParams) ?? ENDED_PAGE;
    })
    .catch((cause: unknown) => {
      throw codeOf(cause) === "EADDRINUSE" ? portTaken(port, cause) : cause;
    });
  return {
    redirectUri: wanted.redirectUri ?? `http://127.0.0.1:${server.port}${PATH}`,
    answered: (state) =>
      new Promise((resolve) => {
        take = (parameters) => {
          // A response with another state is ignored. The right one may still arrive.
          if (!isSame(parameters.getAll("state"), state))
            return callbackPage(400, "This response does not belong to a sign-in in progress.");
          take = undefined;
          return new Promise((answer) => {
            endPage = () => answer(ENDED_PAGE);
            const say = (error?: string): void =>
              answer(callbackPage(error === undefined ? 200 : 400, error));
            resolve({ parameters, say });
          });
        };
      }),
    close() {
      endPage(); // the response arrived another way, for example by pasting
      return server.close();
    },
  };
}

function isSame(given: readonly string[], state: string): boolean {
  const [only = ""] = given;
  const [left, right] = [Buffer.from(only), Buffer.from(state)];
  return given.length === 1 && left.length === right.length && timingSafeEqual(left, right);
}

function portTaken(port: number, cause: unknown): HostError {
  return new HostError(
    "AUTH_FAILED",
    `OAuth authentication failed: port ${port} is already in use by another program`,
    {
      hint: "Stop that program, or set a different callbackPort.",
      cause,
    },
  );
}
