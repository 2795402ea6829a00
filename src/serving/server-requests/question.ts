import { randomUUID } from "node:crypto";
import { RpcRefusal } from "../../connection/index.ts";
import { isJsonObject, isList, type JsonObject, safeText } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { rewriteMessage, type ToAddress } from "../names/rewrite-addresses.ts";
import { INVALID_PARAMS, METHOD_NOT_FOUND } from "../rpc-error.ts";

const ELICITATION = "elicitation/create";
const SAMPLING = "sampling/createMessage";
const ROOTS = "roots/list";

/** A server's request to a client, in the form that the client receives. */
export interface Question {
  readonly method: string;
  readonly params: JsonObject;
}

export interface QuestionContext {
  /** The name of the server. Shown to the user if the client sees several servers. */
  readonly server: string | undefined;
  readonly toAddress: ToAddress;
}

/** Returns the request for the client. Throws an `RpcRefusal` if the client did not announce that it answers such requests. */
export function toQuestion(
  { era, capabilities }: Pick<ClientRequest, "era" | "capabilities">,
  method: string,
  params: JsonObject,
  { server, toAddress }: QuestionContext,
): Question {
  const { elicitation, sampling, roots } = capabilities;
  const { task: _task, ...own } = params; // clients' tasks are not announced
  if (method === ELICITATION && isJsonObject(elicitation)) {
    const isUrl = params["mode"] === "url";
    const hasForm = elicitation["form"] !== undefined || elicitation["url"] === undefined;
    if (isUrl ? elicitation["url"] === undefined : !hasForm)
      throw new RpcRefusal(
        INVALID_PARAMS,
        `The client does not support ${isUrl ? "url" : "form"} elicitation.`,
      );
    const { elicitationId, ...rest } = own;
    const message = labelled(server, own["message"]);
    // Legacy clients require an id for pages, which modern servers do not send.
    const id = era === "legacy" && isUrl ? { elicitationId: elicitationId ?? randomUUID() } : {};
    return { method, params: { ...rest, message, ...id } };
  }
  if (method === SAMPLING && isJsonObject(sampling)) {
    const { includeContext: _context, messages, systemPrompt, ...rest } = own; // other servers' data stays private
    return {
      method,
      params: {
        ...rest,
        ...(isList(messages) && { messages: messages.map((one) => rewriteMessage(one, toAddress)) }),
        ...((server !== undefined || typeof systemPrompt === "string") && {
          systemPrompt: labelled(server, systemPrompt),
        }),
      },
    };
  }
  if (method === ROOTS && isJsonObject(roots)) return { method, params: own };
  throw new RpcRefusal(METHOD_NOT_FOUND, `Not supported by the client: ${method.slice(0, 100)}`);
}

/** Answers a server's request that cannot be passed on to a client. */
export function withoutClient(method: string): JsonObject {
  if (method === ELICITATION) return { action: "cancel" };
  if (method === ROOTS) return { roots: [] };
  throw new RpcRefusal(-32603, "The request does not belong to a call that can be suspended.");
}

/** Returns a text with the server's name before it. Control characters could erase the name, so they become visible. */
function labelled(server: string | undefined, text: unknown): string {
  const own = typeof text === "string" ? text : "";
  return server === undefined ? own : `${server}: ${safeText(own)}`.trimEnd();
}
