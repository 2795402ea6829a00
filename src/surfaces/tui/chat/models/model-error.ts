import { codeOf, HostError, isHostError, messageOf } from "../../../../index.ts";
import { safeLine, truncate } from "../../../../terminal.ts";
import type { OpenModel } from "./open-model.ts";

/** The fields used from errors of the AI SDK's clients. */
interface ApiError extends Error {
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly url?: string;
}

const MOST_CHARACTERS = 500;

/** Converts errors of a model's client to a `HostError`. */
export function toModelError(cause: unknown, model: OpenModel): HostError {
  const error = rootOf(cause);
  if (isHostError(error)) return error;
  const { message, hint } = explain(error, model);
  const clean = cleanerOf(model);
  return new HostError("MODEL_FAILED", clean(message), { hint: hint && clean(hint) });
}

/** Masks the API key. A short key could match ordinary text, and real keys are longer. */
function cleanerOf({ key = "" }: OpenModel): (text: string) => string {
  const forms = key.length < 8 ? [] : [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)];
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, "[secret]"), text);
}

/** Returns the last error if the client threw a list of retries. */
function rootOf(cause: unknown): ApiError {
  const last =
    typeof cause === "object" && cause !== null && "lastError" in cause ? cause.lastError : undefined;
  if (last !== undefined) return rootOf(last);
  return cause instanceof Error ? cause : new Error(textIn(cause) ?? String(cause));
}

interface Explanation {
  readonly message: string;
  readonly hint?: string;
}

function explain(error: ApiError, model: OpenModel): Explanation {
  const { name, provider } = model;
  const { statusCode: status } = error;
  const clean = cleanerOf(model); // before anything is cut: the first part of a key would not be recognized
  const detail = truncate(clean(providerMessage(error)), MOST_CHARACTERS);
  const [variable = ""] = provider.keyVariables;
  const where = variable === "" ? `the API key for "${provider.id}" in settings.json` : variable;
  if (TOO_LONG.test(detail) && (status === undefined || status === 400 || status === 413)) {
    return { message: `The conversation is too long for ${name}: ${detail}`, hint: "/new starts a new one." };
  }
  const broken = brokenAnswer(error, clean);
  if (broken !== undefined)
    return {
      message: `${name} ${broken}`,
      hint: `Check "baseURL" of "${provider.id}" in settings.json: it may not point to a model API.`,
    };
  switch (status) {
    case 401:
    case 403:
      return { message: `${name} rejected the API key (${status}): ${detail}`, hint: `Check ${where}.` };
    case 402:
      return { message: `${name} requires payment (402): ${detail}` };
    case 404:
      return {
        message: `${name} was not found (404): ${detail}`,
        hint: "Choose another with /model or --model <provider>/<model>.",
      };
    case 429:
      return { message: `${name} is rate-limiting requests (429): ${detail}`, hint: waitHint(error) };
    case undefined:
      break;
    default:
      return { message: `${name} returned HTTP ${status}: ${detail}` };
  }
  if (!isNetwork(error)) return { message: `${name} failed: ${detail}` };
  const host = error.url !== undefined && URL.canParse(error.url) ? new URL(error.url).host : provider.id;
  const isLocal = provider.speaks === "chat";
  return {
    message: `${name} cannot be reached at ${host}: ${networkReason(error)}`,
    hint: isLocal ? `Is ${provider.id} running?` : "Check your connection.",
  };
}

/** Describes an invalid response. The client library's own messages only name its internal error types. */
function brokenAnswer(
  { name, message, statusCode = 200, responseBody, cause }: ApiError,
  clean: (text: string) => string,
): string | undefined {
  if (statusCode < 200 || statusCode > 299) return undefined;
  const kinds = [name, cause instanceof Error ? cause.name : ""];
  if (/without a finish reason/.test(message) || kinds.some((kind) => INCOMPLETE_ANSWER.test(kind)))
    return "stopped before its answer was complete";
  if (!/successful response/.test(message) && !kinds.some((kind) => UNREADABLE.test(kind))) return undefined;
  const start = safeLine(truncate(clean(responseBody ?? "").trim(), 100));
  return `sent an answer that could not be parsed${start === "" ? "" : `: ${start}`}`;
}

const INCOMPLETE_ANSWER = /^AI_(?:EmptyResponseBody|No\w+Generated)Error$/;
const UNREADABLE = /^AI_(?:JSONParse|TypeValidation|InvalidResponseData|InvalidStreamPart)Error$/;

/** Describes an invalid tool call for the user. The client library reports it to the model. */
export function describeCallError(error: unknown, tool: string): string {
  const detail = messageOf(error);
  if (/AI_NoSuchToolError|unavailable tool/.test(detail)) return `Unknown tool "${tool}".`;
  if (/AI_InvalidToolInputError|^Invalid input for tool/.test(detail))
    return `The arguments of "${tool}" ${/JSON parsing failed/.test(detail) ? "are not valid JSON" : "do not match its schema"}.`;
  return detail.replace(/\bAI_\w+Error: /g, "");
}

const TOO_LONG =
  /context.{0,20}(?:length|window|limit|size)|prompt is too long|too many (?:input )?tokens|maximum.{0,30}tokens/i;

function waitHint({ responseHeaders }: ApiError): string {
  const seconds = Number(responseHeaders?.["retry-after"] ?? Number.NaN);
  return Number.isFinite(seconds) ? `Try again in ${Math.ceil(seconds)} s.` : "Try again in a moment.";
}

function isNetwork(error: ApiError): boolean {
  return error.url !== undefined || codeOf(error) !== undefined || codeOf(error.cause) !== undefined;
}

function networkReason(error: ApiError): string {
  const { cause } = error;
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return codeOf(inner) ?? codeOf(cause) ?? messageOf(inner ?? error);
}

/** Returns the provider's own error message. */
function providerMessage(error: ApiError): string {
  if (error.responseBody === undefined || error.responseBody === "") return error.message;
  try {
    return textIn(JSON.parse(error.responseBody)) ?? error.message;
  } catch {
    return error.message;
  }
}

function textIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { error, message } = value as { readonly error?: unknown; readonly message?: unknown };
  return typeof message === "string" ? message : textIn(error);
}
