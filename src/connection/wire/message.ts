import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolProgress,
  truncate,
} from "../../model/index.ts";

/** A JSON-RPC message. Its fields are checked where they are used. */
export type Message = JsonObject;

export type MessageId = string | number;

/** The number of requests that are read from one batch. Other messages are limited by the message size only. */
const MOST_REQUESTS = 100;

export interface MessagesIn {
  readonly messages: readonly Message[];
  /** Parts that are not messages. */
  readonly noise: number;
  /** Requests beyond the limit. */
  readonly dropped: number;
}

/** Returns the messages in a JSON value: one message or a batch. */
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

/** Progress messages are truncated to this length. */
export const LONGEST_PROGRESS = 4_000;

/** Returns the progress in a notification; `undefined` if it is invalid. */
export function progressIn({ progress, total, message }: JsonObject): ToolProgress | undefined {
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message: truncate(message, LONGEST_PROGRESS) }),
  };
}

/** Longer IDs are not accepted, because each is kept until its reply is sent. */
const LONGEST_ID = 1_024;

export function isMessageId(value: JsonValue | undefined): value is MessageId {
  return typeof value === "string" ? value.length <= LONGEST_ID : typeof value === "number";
}

/** Returns whether a message is the response to this request. Some servers return the numeric ID as a string. */
export function isAnswerTo(id: MessageId, { id: answered, method }: Message): boolean {
  return method === undefined && isMessageId(answered) && (answered === id || Number(answered) === id);
}

/** An error without a request ID, such as a parse error. */
export interface UnaddressedError extends Message {
  readonly error: JsonObject;
}

export function isUnaddressedError(message: Message): message is UnaddressedError {
  return message["method"] === undefined && message["id"] == null && isJsonObject(message["error"]);
}

/** Accepts a message without `jsonrpc` if it is clearly a JSON-RPC message. */
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

/** Adds fields to `_meta`. It comes first because that keeps the copied object fast. */
export function withMeta(params: JsonObject, added: JsonObject): JsonObject {
  const { _meta: meta } = params;
  return isJsonObject(meta) ? { ...params, _meta: { ...meta, ...added } } : { _meta: added, ...params };
}

/** Returns a short form of a value for an error message. Lists and objects may be too large to serialize. */
export function shortValue(value: JsonValue | undefined): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[…]" : "{…}";
  return JSON.stringify(typeof value === "string" ? truncate(value, 100) : value) ?? "undefined";
}
