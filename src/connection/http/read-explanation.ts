import { isJsonObject, type JsonValue } from "../../model/index.ts";

/** Members in which APIs explain an error, the most specific first. */
const MEMBERS = ["error_description", "message", "detail", "error", "title", "errors"] as const;
/** Errors can be nested, such as `{ "errors": [{ "message": "…" }] }`. */
const DEEPEST = 3;
const LONGEST = 300;
/** Words that only repeat the status. */
const STATUS_WORDS = /\b(?:http|error|status|code|page|\d{3})\b|[^a-z0-9]+/g;
const REASON_PHRASES = new Set(
  [
    "bad request",
    "unauthorized",
    "payment required",
    "forbidden",
    "access denied",
    "not found",
    "method not allowed",
    "not acceptable",
    "request timeout",
    "conflict",
    "gone",
    "unsupported media type",
    "unprocessable entity",
    "too many requests",
    "internal server",
    "internal",
    "not implemented",
    "bad gateway",
    "service unavailable",
    "gateway timeout",
    "",
  ].map(squeeze),
);

/** Returns the server's explanation in the body of an error response. `undefined` for a web page, or if it only repeats the status. */
export function readExplanation(body: string, status: number, type = "text/plain"): string | undefined {
  const text = /^application\/(?:[\w.-]+\+)?json\b/i.test(type)
    ? findText(parse(body), DEEPEST)
    : /^text\/plain\b/i.test(type)
      ? explainingLine(body)
      : undefined;
  const short = text?.trim().slice(0, LONGEST);
  if (short === undefined || short.startsWith("<")) return undefined;
  const rest = squeeze(short.toLowerCase().replaceAll(String(status), " ").replace(STATUS_WORDS, " "));
  return REASON_PHRASES.has(rest) ? undefined : short;
}

function squeeze(text: string): string {
  return text.replace(/[^a-z0-9]+/g, "");
}

function findText(value: JsonValue | undefined, depth: number): string | undefined {
  if (typeof value === "string") return explainingLine(value);
  if (Array.isArray(value)) return depth === 0 ? undefined : findText(value[0], depth - 1);
  if (!isJsonObject(value) || depth === 0) return undefined;
  for (const name of MEMBERS) {
    const text = findText(value[name], depth - 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns the first line, or the last one of a Python stack trace. */
function explainingLine(text: string): string | undefined {
  if (text.startsWith("Traceback ")) return text.trimEnd().split("\n").at(-1);
  return /\S.*/.exec(text)?.[0];
}

function parse(body: string): JsonValue | undefined {
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return undefined;
  }
}
