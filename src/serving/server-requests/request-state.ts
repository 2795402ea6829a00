import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from "node:crypto";
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import type { Clock } from "../../platform/index.ts";
import type { ClientRequest } from "../client-request.ts";
import type { ServingCluster } from "../cluster/serving-cluster.ts";
import { INVALID_PARAMS, ownError, RpcError } from "../rpc-error.ts";

const PREFIX = "pb1.";
/** How long a client may take to answer. */
export const LONGEST_WAIT_MS = 600_000;
const LONGEST_STATE = 2 * 1024 * 1024;

/** The subject of a retry. */
export type RetryState =
  /** A modern server's own state. Nothing is kept here. */
  | { readonly kind: "wrap"; readonly server: string; readonly upstream: JsonValue | undefined }
  /** A call to a legacy server that waits for the answers. */
  | { readonly kind: "suspended"; readonly call: string; readonly round: number }
  /** The gateway itself asked for the client's roots, because the server will ask for them. */
  | { readonly kind: "roots" }
  /** The gateway itself asked whether the request may be sent. */
  | { readonly kind: "ask" }
  /** The request is sent again after the user visited a page. */
  | { readonly kind: "again"; readonly roots?: JsonObject | undefined };

/** Encrypts what a retry needs. The result is valid only for this client and request, and for a limited time. */
export interface RequestStates {
  seal(request: ClientRequest, state: RetryState): string;
  /** Decrypts a state. Throws an `RpcError` unless this client received it recently for this request. */
  open(request: ClientRequest, text: JsonValue): RetryState;
  /**
   * Consumes the state of a request that a person must approve, or has approved. Returns its kind. Throws the same error as `open` for other
   * states, and for the second use.
   */
  use(request: ClientRequest, text: JsonValue): RetryState["kind"];
}

/** How many approvals may be in progress. The oldest ones end first. */
const MOST_APPROVALS = 10_000;

/** `cluster`: the keys that several gateways share. Default: a key of this process. */
export function createRequestStates(
  clock: Clock,
  cluster?: Pick<ServingCluster, "node" | "keysFor">,
): RequestStates {
  const own = [randomBytes(32)];
  const keys = (): readonly Uint8Array[] => cluster?.keysFor("request states") ?? own;
  /** States with data on this gateway are marked, so that other gateways forward them. */
  const hintFor = ({ kind }: RetryState, once: object): string =>
    cluster !== undefined && (kind === "suspended" || "once" in once) ? `${cluster.node}.` : "";
  /** Ids that may be used only once. An approval covers one execution, so no state that belongs to it works twice. */
  const unused = new Set<string>();
  const onceIfApproved = ({ isApproved = false }: ClientRequest, { kind }: RetryState): object => {
    if (!isApproved && kind !== "ask") return {};
    const once = randomUUID();
    unused.add(once);
    const [oldest] = unused;
    if (unused.size > MOST_APPROVALS && oldest !== undefined) unused.delete(oldest);
    return { once };
  };
  const read = (request: ClientRequest, text: JsonValue): { body: JsonObject; state: RetryState } => {
    const body =
      typeof text === "string" && text.length <= LONGEST_STATE ? unsealWith(keys(), text) : undefined;
    const { by, until } = body ?? {};
    const isValid = by === bindingOf(request) && typeof until === "number" && until >= clock.now();
    const state = isValid && body !== undefined ? stateIn(body) : undefined;
    if (state === undefined || body === undefined) throw invalidState();
    // Requests for another gateway's calls come here only if that gateway has ended.
    if (state.kind === "suspended" && hintIn(String(text)) !== hintFor(state, {}))
      throw ownError("interrupted", "The call was interrupted. It may have been done in part.");
    return { body, state };
  };
  return {
    seal(request, state) {
      const once = onceIfApproved(request, state);
      const body = { ...state, ...once, by: bindingOf(request), until: clock.now() + LONGEST_WAIT_MS };
      const nonce = randomBytes(12);
      const hint = hintFor(state, once);
      const cipher = createCipheriv("aes-256-gcm", keys()[0] ?? randomBytes(32), nonce);
      cipher.setAAD(Buffer.from(hint));
      const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(body), "utf8"), cipher.final()]);
      return PREFIX + hint + Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64url");
    },
    open: (request, text) => read(request, text).state,
    use(request, text) {
      const { body, state } = read(request, text);
      if (typeof body["once"] !== "string" || !unused.delete(body["once"])) throw invalidState();
      return state.kind;
    },
  };
}

/** The message is the same for every reason, so that it reveals nothing about other clients' calls. */
export function invalidState(): RpcError {
  return new RpcError(INVALID_PARAMS, "Invalid or expired requestState.");
}

/** Returns the part of a state that is not encrypted. */
function hintIn(text: string): string {
  return text.slice(PREFIX.length, text.lastIndexOf(".") + 1);
}

function unsealWith(keys: readonly Uint8Array[], text: string): JsonObject | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const end = text.lastIndexOf(".") + 1;
  const [hint, sealed] = [hintIn(text), text.slice(end)];
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < 28 || bytes.toString("base64url") !== sealed) return undefined;
  for (const key of keys) {
    const value = unseal(key, hint, bytes);
    if (value !== undefined) return value;
  }
  return undefined;
}

function unseal(key: Uint8Array, hint: string, bytes: Buffer): JsonObject | undefined {
  const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
  cipher.setAuthTag(bytes.subarray(-16));
  cipher.setAAD(Buffer.from(hint));
  try {
    const body = Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]);
    const value: unknown = JSON.parse(body.toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function stateIn({ kind, server, upstream, call, round, roots }: JsonObject): RetryState | undefined {
  if (kind === "roots" || kind === "ask") return { kind };
  if (kind === "again") return { kind, ...(isJsonObject(roots) && { roots }) };
  if (kind === "wrap" && typeof server === "string") return { kind, server, upstream };
  if (kind === "suspended" && typeof call === "string" && typeof round === "number")
    return { kind, call, round };
  return undefined;
}

/** Identifies the client and the request. A retry must be the same request. */
function bindingOf({ client, method, params }: ClientRequest): string {
  const { name, uri, arguments: args } = params;
  const facts = { method, name: name ?? null, uri: uri ?? null, arguments: args ?? null };
  return createHash("sha256")
    .update(canonicalJson([client.id, client.endpoint.path, facts]))
    .digest("base64url");
}
