import { randomUUID } from "node:crypto";
import { isHostError, isJsonObject, type JsonObject, safeLine } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import { INTERNAL_ERROR, RpcError } from "../rpc-error.ts";
import type { RequestStates } from "../server-requests/request-state.ts";

/** Where one person of a team signs in to servers. */
export interface SignInPages {
  /** Returns the address of a page on which only this person can sign in to a server. */
  linkFor(server: string): Promise<string>;
  /** Resolves with `true` when the person signed in to a server, and with `false` if that does not happen soon. */
  signedIn(server: string, signal: AbortSignal): Promise<boolean>;
}

/** The dependencies for asking for a sign-in. */
interface SignInContext {
  readonly signInPages?: SignInPages | undefined;
  readonly states: RequestStates;
}

const KEY = "plugboard-sign-in";
const MAY_ASK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** Relays a request. If the server needs a sign-in, asks the person for it, and then relays the request again. */
export async function withSignIn(
  context: SignInContext,
  request: ClientRequest,
  server: string,
  relay: (request: ClientRequest) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { signInPages } = context;
  if (signInPages === undefined) return relay(request);
  try {
    return await relay(request);
  } catch (error) {
    if (!isSignInNeeded(error)) throw error;
    const url = await signInPages.linkFor(server);
    const asked = mayAsk(request) ? await ask(context, request, { server, url }) : "refused";
    if (typeof asked === "object") return asked;
    if (asked === "accepted" && (await signInPages.signedIn(server, request.signal))) {
      const { requestState: _, inputResponses: __, ...params } = request.params;
      return relay({ ...request, params }).catch((cause: unknown) => {
        if (isSignInNeeded(cause)) return answerWithLink(request, server, url);
        throw cause;
      });
    }
    return answerWithLink(request, server, url);
  }
}

function isSignInNeeded(error: unknown): boolean {
  return isHostError(error, "INTERACTION_REQUIRED") && error.reason === "signIn";
}

function mayAsk({ capabilities: { elicitation }, method }: ClientRequest): boolean {
  return MAY_ASK.has(method) && isJsonObject(elicitation) && elicitation["url"] !== undefined;
}

/** Asks the person to open the page. A modern client is asked in the response, and its retry has the answer. */
async function ask(
  context: SignInContext,
  request: ClientRequest,
  { server, url }: { readonly server: string; readonly url: string },
): Promise<"accepted" | "refused" | JsonObject> {
  const question = { mode: "url", message: `Sign in to ${safeLine(server)}`, url };
  if (request.era === "legacy") {
    const params = { ...question, elicitationId: randomUUID() };
    const answer = await request.ask("elicitation/create", params, request.signal);
    return answer["action"] === "accept" ? "accepted" : "refused";
  }
  const { inputResponses, requestState } = request.params;
  const given = isJsonObject(inputResponses) ? inputResponses[KEY] : undefined;
  if (requestState !== undefined && isJsonObject(given))
    return given["action"] === "accept" ? "accepted" : "refused";
  return {
    resultType: "input_required",
    inputRequests: { [KEY]: { method: "elicitation/create", params: question } },
    requestState: context.states.seal(request, { kind: "again" }),
  };
}

function answerWithLink(request: ClientRequest, server: string, url: string): JsonObject {
  const text = `"${safeLine(server)}" requires a sign-in. The user can sign in at ${url}`;
  if (request.method !== "tools/call")
    throw new RpcError(INTERNAL_ERROR, text, { reason: "interaction_required", url });
  return toClientResult(request, { content: [{ type: "text", text }], isError: true });
}
