import {
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  type Redactor,
  truncate,
} from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";

/** Members that a person or a model reads. Other texts have a meaning in the protocol, so only long secrets are masked in them. */
const TEXTS: ReadonlySet<string> = new Set([
  "message",
  "statusMessage",
  "title",
  "description",
  "text",
  "systemPrompt",
  "enumNames",
  "logger",
]);
const DEEPEST = 128;
const TOO_DEEP = "[nested too deeply]";
const LONGEST_PROGRESS = 4_000;
/** Masking more at once would block the process. */
const LOG_LIMITS = { depth: 64, weight: 1024 * 1024 };
const TOO_LARGE = "[data that is too large to show]";

/** Masks secrets that a server repeats in a question. */
export function maskQuestion(redactor: Redactor, params: JsonObject): JsonObject {
  const maskLong = redactor.maskLongValues() ?? ((text: string) => text);
  return maskMembers(params, {
    text: (text) => redactor.redact(text),
    other: maskLong,
  });
}

/** Masks secrets that a server repeats in its progress, and shortens the message. */
export function maskProgress(redactor: Redactor, { message, ...rest }: JsonObject): JsonObject {
  if (typeof message !== "string") return maskQuestion(redactor, rest);
  // Masks before truncating, because half a secret would not be recognized.
  const masked = redactor.redact(message.slice(0, 2 * LONGEST_PROGRESS));
  return { ...maskQuestion(redactor, rest), message: truncate(masked, LONGEST_PROGRESS) };
}

/** Masks secrets that a server repeats in a log message. */
export function maskLog(redactor: Redactor, { data, ...rest }: JsonObject): JsonObject {
  const redact = (text: string): string => redactor.redact(text);
  if (data === undefined) return maskQuestion(redactor, rest);
  const isLight = typeof jsonWeight(data, LOG_LIMITS) === "number";
  const masked = isLight ? maskValue(data, { text: redact, other: redact }, true, 0) : TOO_LARGE;
  return { ...maskQuestion(redactor, rest), data: masked };
}

interface Masks {
  text(text: string): string;
  /** For keys, and for texts that are not for people. */
  other(text: string): string;
}

function maskMembers(value: JsonObject, masks: Masks, depth = 0): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      masks.other(key),
      maskValue(member, masks, TEXTS.has(key), depth + 1),
    ]),
  );
}

function maskValue(value: JsonValue, masks: Masks, isText: boolean, depth: number): JsonValue {
  if (typeof value === "string") return isText ? masks.text(value) : masks.other(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return TOO_DEEP;
  if (isList(value)) return value.map((item) => maskValue(item, masks, isText, depth + 1));
  return isJsonObject(value) ? maskMembers(value, masks, depth) : value;
}
