import { createHash } from "node:crypto";
import { canonicalJson, isJsonObject, type JsonObject, type Redactor, safeLine } from "../../model/index.ts";
import type { PolicyDecision } from "../../policy/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { createMaskBudget, maskQuestion } from "../eras/mask-for-client.ts";
import { toClientResult } from "../eras/to-client.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from "../rpc-error.ts";
import type { RequestStates } from "../server-requests/request-state.ts";
import type { CallInbox } from "./call-inbox.ts";

const KEY = "plugboard-approval";
/** Longer arguments are shown on a page, so that nothing can be hidden behind the end of a message. */
const LONGEST_SHOWN = 2_000;
const FORM: JsonObject = {
  type: "object",
  properties: { allow: { type: "boolean", title: "Allow this once" } },
  required: ["allow"],
};

/** The dependencies for asking for an approval. */
interface ApprovalContext {
  readonly states: RequestStates;
  readonly inbox?: CallInbox | undefined;
  readonly workspace: { readonly redactor: Redactor };
}

/** The subject of the person's decision. */
interface Asked {
  readonly server: string;
  readonly item: string;
  readonly decision: PolicyDecision | undefined;
}

/**
 * Relays a request. If the policy says `ask`, a person must approve it first: in the client, or else on a page of the gateway. An approval
 * covers one execution of exactly this request, with all retries that belong to it.
 */
export async function withApproval(
  context: ApprovalContext,
  request: ClientRequest,
  asked: Asked,
  relay: (request: ClientRequest) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { decision } = asked;
  if (decision?.answer !== "ask") return relay(request);
  const { requestState, inputResponses, ...params } = request.params;
  if (request.era === "modern" && requestState !== undefined) {
    if (context.states.use(request, requestState) !== "ask") return relay({ ...request, isApproved: true });
    if (!isYes(isJsonObject(inputResponses) ? inputResponses[KEY] : undefined)) throw refused(asked);
    return relay({ ...request, params, isApproved: true });
  }
  const shown = shownArguments(context, request);
  const text = safeLine(JSON.stringify(shown));
  if (decision.by !== "dashboard" && canAsk(request) && text.length <= LONGEST_SHOWN) {
    const message = `Allow ${request.method} of "${safeLine(asked.item)}" at "${safeLine(asked.server)}"? Arguments: ${text}`;
    const question = { message, requestedSchema: FORM };
    if (request.era === "modern")
      return {
        resultType: "input_required",
        inputRequests: { [KEY]: { method: "elicitation/create", params: { mode: "form", ...question } } },
        requestState: context.states.seal(request, { kind: "ask" }),
      };
    const answer = await request.ask("elicitation/create", question, request.signal);
    if (!isYes(answer)) throw refused(asked);
    return relay({ ...request, isApproved: true });
  }
  return askInInbox(context, request, asked, shown, relay);
}

async function askInInbox(
  { inbox }: ApprovalContext,
  request: ClientRequest,
  asked: Asked,
  shown: JsonObject,
  relay: (request: ClientRequest) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { server, item } = asked;
  const person = request.rights?.principal.id;
  if (inbox === undefined || person === undefined) throw refused(asked);
  const answer = await inbox.ask({ person, server, item, requestHash: hashOf(request, asked), shown });
  if (answer.state === "allowed") return relay({ ...request, isApproved: true });
  if (answer.state !== "waiting") throw refused(asked);
  const text = `A person must approve this first, at ${answer.url}. Then repeat exactly the same request.`;
  if (request.method !== "tools/call")
    throw new RpcError(INTERNAL_ERROR, text, { reason: "interaction_required", url: answer.url });
  return toClientResult(request, { content: [{ type: "text", text }], isError: true });
}

function canAsk({ capabilities: { elicitation } }: ClientRequest): boolean {
  return isJsonObject(elicitation) && (elicitation["form"] !== undefined || elicitation["url"] === undefined);
}

function isYes(answer: unknown): boolean {
  const { action, content } = isObject(answer) ? answer : {};
  return action === "accept" && isObject(content) && content["allow"] === true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function shownArguments({ workspace }: ApprovalContext, { params }: ClientRequest): JsonObject {
  const { arguments: args = {} } = params;
  return isJsonObject(args) ? maskQuestion(workspace.redactor, args, createMaskBudget()) : {};
}

function refused({ decision }: Asked): RpcError {
  const rule = decision === undefined ? "" : ` (${decision.rule})`;
  return new RpcError(INVALID_PARAMS, `The user did not allow this${rule}.`, { reason: "denied" });
}

function hashOf({ method, params, client }: ClientRequest, { server, item }: Asked): string {
  const facts = [method, client.endpoint.path, server, item, params["arguments"] ?? null];
  return createHash("sha256").update(canonicalJson(facts)).digest("hex");
}
