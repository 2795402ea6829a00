import { isJsonObject, type JsonObject } from "../../model/index.ts";

/** A JSON-RPC message, known to be one; what it says is checked where it is used. */
export type Message = JsonObject;

export type MessageId = string | number;

/** Messages in what a server sent: one, or several in a batch. Anything else is counted as noise. */
export function messagesIn(value: unknown): { readonly messages: Message[]; readonly noise: number } {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const messages = items.filter(isMessage);
  return { messages, noise: items.length - messages.length };
}

/** A server that forgets to name the version is understood where there is no doubt what it means. */
export function isMessage(value: unknown): value is Message {
  if (!isJsonObject(value)) return false;
  const { jsonrpc, id, method, result, error } = value;
  if (jsonrpc !== undefined) return jsonrpc === "2.0";
  return typeof method === "string" || (id !== undefined && (result !== undefined || error !== undefined));
}

export function request(id: MessageId, method: string, params: JsonObject): Message {
  return { jsonrpc: "2.0", id, method, params };
}

export function notification(method: string, params: JsonObject): Message {
  return { jsonrpc: "2.0", method, params };
}
