import {
  canonicalJson,
  HostError,
  type HostErrorCode,
  isJsonObject,
  isList,
  type JsonObject,
  type ServerFacts,
  truncate,
} from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";

/** The first line of a recording. */
export const HEADER: string = JSON.stringify({ plugboardRecording: 1 });
/** The limits for writing and reading recordings. A repository can contain a recording. */
export const RECORDING_LIMITS: { readonly bytes: number; readonly depth: number } = {
  bytes: 64 * 1024 * 1024,
  depth: 200,
};

const LONGEST_NAME = 1_024;
const LONGEST_INSTRUCTIONS = 64 * 1024;
const MOST_CAPABILITIES = 100;
const TRANSPORTS: readonly ServerFacts["transport"][] = ["stdio", "http", "sse", "in-process"];

/** Errors of a server. Errors that a person must act on are not recorded, because replaying them could start a sign-in. */
const RECORDED_CODES: ReadonlySet<HostErrorCode> = new Set([
  "REQUEST_REFUSED",
  "REQUEST_TIMEOUT",
  "CONNECTION_LOST",
]);

/** A stream that stays open as long as the connection. It has no answer to record. */
export const ENDLESS_METHOD = "subscriptions/listen";

/** How a server answered a request. */
export type Answer =
  | { readonly result: JsonObject }
  | {
      readonly error: {
        readonly code: HostErrorCode;
        readonly message: string;
        readonly hint?: string;
        readonly rpcCode?: number;
      };
    };

/** One line after the header: a connection, or a request with its answer. */
export type RecordedLine =
  | { readonly server: string; readonly connected: ServerFacts }
  | ({ readonly server: string; readonly method: string; readonly params: JsonObject } & Answer);

/** Returns the error of a request as it is recorded, or `undefined` if it is not. */
export function recordedError(error: unknown): Answer | undefined {
  if (!(error instanceof HostError) || !RECORDED_CODES.has(error.code)) return undefined;
  const { code, message, hint, rpcCode } = error;
  return {
    error: {
      code,
      message,
      ...(hint !== undefined && { hint }),
      ...(rpcCode !== undefined && { rpcCode }),
    },
  };
}

/** Returns what identifies a request: the server, the method and the parameters without `_meta`, which differs in every run. */
export function requestKey(server: string, method: string, params: JsonObject): string {
  return canonicalJson([server, method, withoutMeta(params)]);
}

export function withoutMeta({ _meta: _, ...params }: JsonObject): JsonObject {
  return params;
}

/** Masks every text in a value, including names. */
export function maskTexts<T>(value: T, mask: (text: string) => string): T {
  const masked = (part: unknown): unknown => {
    if (typeof part === "string") return mask(part);
    if (isList(part)) return part.map(masked);
    if (!isJsonObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [mask(name), masked(member)]));
  };
  return masked(value) as T; // masking changes texts only
}

/** Returns whether a value is nested too deeply, or has an object with too many members, to be recorded. */
export function isTooComplex(value: unknown): boolean {
  return (
    typeof jsonWeight(value, { depth: RECORDING_LIMITS.depth, weight: Number.POSITIVE_INFINITY }) !== "number"
  );
}

/** Checks a parsed line. Returns `undefined` if it is not one that a recorder writes. */
export function checkLine(value: unknown): RecordedLine | undefined {
  if (!isJsonObject(value) || isTooComplex(value)) return undefined;
  const { server, method, params, connected, result, error } = value;
  if (typeof server !== "string") return undefined;
  if (isJsonObject(connected)) {
    const facts = checkFacts(connected);
    return facts && { server, connected: facts };
  }
  if (typeof method !== "string" || !isJsonObject(params)) return undefined;
  if (isJsonObject(result)) return { server, method, params, result };
  const answer = isJsonObject(error) ? checkError(error) : undefined;
  return answer && { server, method, params, ...answer };
}

function checkError({ code, message, hint, rpcCode }: JsonObject): Answer | undefined {
  const known = [...RECORDED_CODES].find((each) => each === code);
  if (known === undefined || typeof message !== "string") return undefined;
  return {
    error: {
      code: known,
      message,
      ...(typeof hint === "string" && { hint }),
      ...(typeof rpcCode === "number" && { rpcCode }),
    },
  };
}

/** Applies the limits of a connection, which bound what a server says about itself. */
function checkFacts(facts: JsonObject): ServerFacts | undefined {
  const { protocolVersion, era, capabilities } = facts;
  const transport = TRANSPORTS.find((known) => known === facts["transport"]);
  if (typeof protocolVersion !== "string" || !isList(capabilities)) return undefined;
  if (era !== "legacy" && era !== "modern") return undefined;
  if (transport === undefined) return undefined;
  const text = (name: string, most: number): string | undefined => {
    const value = facts[name];
    return typeof value === "string" ? truncate(value, most) : undefined;
  };
  return {
    name: text("name", LONGEST_NAME),
    version: text("version", LONGEST_NAME),
    protocolVersion: truncate(protocolVersion, LONGEST_NAME),
    era,
    transport,
    capabilities: capabilities
      .filter((name) => typeof name === "string")
      .filter((name) => name.length <= LONGEST_NAME)
      .slice(0, MOST_CAPABILITIES),
    instructions: text("instructions", LONGEST_INSTRUCTIONS),
  };
}
