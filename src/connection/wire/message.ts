import { isJsonObject, type JsonObject, type JsonValue, truncate } from "../../model/index.ts";

/** A JSON-RPC message, known to be one; what it says is checked where it is used. */
export type Message = JsonObject;

export type MessageId = string | number;

/** Requests that are read from one batch; the rest are dropped. Responses and notifications are limited by the size of a message only. */
const MOST_REQUESTS = 100;

export interface MessagesIn {
  readonly messages: readonly Message[];
  /** Parts that are not messages. */
  readonly noise: number;
  /** Requests beyond the limit. */
  readonly dropped: number;
}

/** The messages in what a server sent: one, or a batch. */
export function messagesIn(value: unknown): MessagesIn {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const messages: Message[] = [];
  let requests = 0;
  let noise = 0;
  for (const item of items) {
    if (!isMessage(item)) {
      noise += 1;
      continue;
    }
    if (isRequest(item)) requests += 1;
    if (requests <= MOST_REQUESTS || !isRequest(item)) messages.push(item);
  }
  return { messages, noise, dropped: Math.max(0, requests - MOST_REQUESTS) };
}

function isRequest({ id, method }: Message): boolean {
  return typeof method === "string" && isMessageId(id);
}

/** Of a message about progress more is not shown. */
export const LONGEST_PROGRESS = 4_000;

/** Longer ids are not accepted: each is kept until its reply is sent. */
const LONGEST_ID = 1_024;

export function isMessageId(value: JsonValue | undefined): value is MessageId {
  return typeof value === "string" ? value.length <= LONGEST_ID : typeof value === "number";
}

/** Whether an answer is to this request. Some servers turn the number we sent into text. */
export function isAnswerTo(id: MessageId, { id: answered, method }: Message): boolean {
  return method === undefined && isMessageId(answered) && (answered === id || Number(answered) === id);
}

/** An error that names no request, such as a parse error. */
export interface UnaddressedError extends Message {
  readonly error: JsonObject;
}

export function isUnaddressedError(message: Message): message is UnaddressedError {
  return message["method"] === undefined && message["id"] == null && isJsonObject(message["error"]);
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

/** A short form of a value for an error message: lists and objects may be large or nested too deeply to write out. */
export function shownValue(value: JsonValue | undefined): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[…]" : "{…}";
  return JSON.stringify(typeof value === "string" ? truncate(value, 100) : value) ?? "undefined";
}
