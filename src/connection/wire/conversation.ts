import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { type Agreement, type ClientIdentity, modernParams } from "./era.ts";
import type { Peer, PeerRequest, RequestHandler } from "./peer.ts";
import { WireError } from "./wire-error.ts";

const MOST_ROUNDS = 10;
/** The only requests a server may answer with a question of its own. */
const MAY_ASK_BACK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

export interface ConversationOptions {
  readonly agreement: Agreement;
  readonly identity: ClientIdentity;
  /** Answers what the server asks; the same in both eras. */
  readonly onRequest: RequestHandler;
}

/** Requests in the words of the era that was agreed on; results without what only the wire needs. */
export async function converse(
  peer: Peer,
  method: string,
  params: JsonObject,
  request: PeerRequest,
  { agreement, identity, onRequest }: ConversationOptions,
): Promise<JsonObject> {
  if (!agreement.modern) return peer.request(method, params, request);
  let current = params;
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const result = await peer.request(method, modernParams(current, identity), request);
    const { resultType = "complete", ...rest } = result;
    if (resultType === "complete") return rest;
    if (resultType !== "input_required" || !MAY_ASK_BACK.has(method)) {
      throw new WireError(
        { kind: "notMcp" },
        `it answered with a result of the unknown kind ${JSON.stringify(resultType)}`,
      );
    }
    current = { ...params, ...(await answers(result, onRequest)) };
  }
  throw new WireError({ kind: "notMcp" }, `it asked for input more than ${MOST_ROUNDS} times`);
}

/** Answers to what the server asked, and its own state handed back to the byte. */
async function answers(
  { inputRequests, requestState }: JsonObject,
  onRequest: RequestHandler,
): Promise<JsonObject> {
  const inputResponses: Record<string, JsonValue> = {};
  for (const [key, asked] of Object.entries(isJsonObject(inputRequests) ? inputRequests : {})) {
    if (!isJsonObject(asked) || typeof asked["method"] !== "string") continue;
    const params = isJsonObject(asked["params"]) ? asked["params"] : {};
    inputResponses[key] = await onRequest(asked["method"], params);
  }
  return { inputResponses, ...(requestState !== undefined && { requestState }) };
}
