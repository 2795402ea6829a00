import type { Settings } from "../../config/index.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LEGACY_VERSIONS,
  MODERN_VERSION,
} from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";
import type { ClientFacts, ClientInfo } from "../client-request.ts";
import { INVALID_PARAMS, INVALID_REQUEST, RpcError, UNSUPPORTED_VERSION } from "../rpc-error.ts";
import { assertShort } from "../upstream/capability-class.ts";

const META = "io.modelcontextprotocol/";
const LONGEST_ID = 1_024;
const LONGEST_INFO = 64;
/** Longer names of methods, tools and prompts are not valid. Searching them for secrets, for the audit log, would block the process. */
const LONGEST_NAME = 1_024;
/** Converting or comparing a message with more levels could overflow the stack. The size was already limited. */
const DEEPEST = { depth: 256, weight: Number.POSITIVE_INFINITY };

export type MessageId = string | number;

/** A message of a client. */
export type ClientMessage =
  | { readonly kind: "request"; readonly id: MessageId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
  /** The client's response to a request from the gateway. */
  | { readonly kind: "answer"; readonly id: MessageId; readonly message: JsonObject };

/** Parses one message. Throws an `RpcError` for anything else, including arrays, because every check here is for one message. */
export function toClientMessage(value: unknown): ClientMessage {
  if (Array.isArray(value)) throw new RpcError(INVALID_REQUEST, "Batches are not supported.");
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") throw invalidRequest();
  const { id, method, params: given = {} } = value;
  if (id !== undefined && !isMessageId(id)) throw invalidRequest();
  if (!isExact(id)) throw new RpcError(INVALID_REQUEST, `The id must be at most ${Number.MAX_SAFE_INTEGER}.`);
  if (typeof method !== "string") {
    if (id === undefined || (value["result"] === undefined && value["error"] === undefined))
      throw invalidRequest();
    const error = shapeError(value);
    return { kind: "answer", id, message: error === undefined ? value : { error: error.toJson() } };
  }
  if (!isJsonObject(given)) throw new RpcError(INVALID_REQUEST, "The parameters must be an object.");
  const error = shapeError(given) ?? nameError(method, given) ?? tokenError(given);
  if (error !== undefined) throw new MessageRefusal(error, id);
  return id === undefined
    ? { kind: "notification", method, params: given }
    : { kind: "request", id, method, params: given };
}

/** The error for a message whose id is known. */
export class MessageRefusal extends RpcError {
  readonly id: MessageId | null;

  constructor({ code, message, data }: RpcError, id: MessageId | undefined) {
    super(code, message, data);
    this.id = id ?? null;
  }
}

const TOO_DEEP = new RpcError(
  INVALID_PARAMS,
  `The message has more than ${DEEPEST.depth} levels of nesting.`,
);

const TOO_MANY = new RpcError(INVALID_PARAMS, "The message has an object with too many members.");

function shapeError(value: JsonObject): RpcError | undefined {
  const weight = jsonWeight(value, DEEPEST);
  if (typeof weight === "number") return undefined;
  return weight === "deep" ? TOO_DEEP : TOO_MANY;
}

function nameError(method: string, { name, ref }: JsonObject): RpcError | undefined {
  const names = [method, name, isJsonObject(ref) ? ref["name"] : undefined];
  if (!names.some((one) => typeof one === "string" && one.length > LONGEST_NAME)) return undefined;
  return new RpcError(INVALID_PARAMS, `A name is longer than ${LONGEST_NAME} characters.`);
}

function tokenError({ _meta: meta }: JsonObject): RpcError | undefined {
  if (!isJsonObject(meta) || isExact(meta["progressToken"])) return undefined;
  return new RpcError(INVALID_PARAMS, `The progress token must be at most ${Number.MAX_SAFE_INTEGER}.`);
}

/** JavaScript rounds larger numbers, and the client would not recognize the rounded one. */
function isExact(value: JsonValue | undefined): boolean {
  return typeof value !== "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function isMessageId(value: JsonValue): value is MessageId {
  return typeof value === "string" ? value.length <= LONGEST_ID : typeof value === "number";
}

function invalidRequest(): RpcError {
  return new RpcError(INVALID_REQUEST, "The message is not a valid JSON-RPC 2.0 message.");
}

/** Returns the protocol version in a message's `_meta`. Only modern messages have one. */
export function claimedVersion({ _meta: meta }: JsonObject): JsonValue | undefined {
  return isJsonObject(meta) ? meta[`${META}protocolVersion`] : undefined;
}

/** Returns what a modern request says about its client. Throws an `RpcError` if required members are missing. */
export function modernFacts(params: JsonObject): ClientFacts {
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : {};
  const version = meta[`${META}protocolVersion`];
  const capabilities = meta[`${META}clientCapabilities`];
  if (typeof version !== "string" || !isJsonObject(capabilities))
    throw new RpcError(
      INVALID_PARAMS,
      `Every request needs "${META}protocolVersion" and "${META}clientCapabilities" in its _meta.`,
    );
  if (version !== MODERN_VERSION) throw unsupportedVersion(version, [MODERN_VERSION]); // as in server/discover
  assertShort(capabilities);
  return { era: "modern", version, capabilities, info: clientInfo(meta[`${META}clientInfo`]) };
}

/** Returns what a client says about itself, without the capabilities that the user's settings remove. */
export function withoutExcluded(facts: ClientFacts, { gateway }: Pick<Settings, "gateway">): ClientFacts {
  const { info: { name = "" } = {}, capabilities } = facts;
  const rule = Object.hasOwn(gateway.clients, name) ? gateway.clients[name] : undefined;
  if (rule === undefined) return facts;
  const kept = Object.entries(capabilities).filter(([key]) => !rule.without.includes(key));
  return { ...facts, capabilities: Object.fromEntries(kept) };
}

/** Returns a client's name and version, which are only for display. */
export function clientInfo(value: JsonValue | undefined): ClientInfo {
  const { name, version } = isJsonObject(value) ? value : {};
  return {
    ...(typeof name === "string" && { name: startOf(name) }),
    ...(typeof version === "string" && { version: startOf(version) }),
  };
}

/** Copies the beginning of a text, which sessions keep. A slice would keep the whole text in memory. */
function startOf(text: string): string {
  return Buffer.from(text.slice(0, LONGEST_INFO), "utf16le").toString("utf16le");
}

export function unsupportedVersion(
  requested: string,
  supported: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS],
): RpcError {
  return new RpcError(UNSUPPORTED_VERSION, `Unsupported protocol version: ${requested.slice(0, 100)}`, {
    supported: [...supported],
    requested: requested.slice(0, 100),
  });
}

/** The facts about a client that did not send `initialize`: the oldest version with Streamable HTTP, and no capabilities. */
export const UNANNOUNCED: ClientFacts = { era: "legacy", version: "2025-03-26", capabilities: {} };
