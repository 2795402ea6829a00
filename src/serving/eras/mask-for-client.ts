import { RpcRefusal } from "../../connection/index.ts";
import {
  isHuge,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  type Redactor,
  truncate,
} from "../../model/index.ts";
import { INVALID_PARAMS } from "../rpc-error.ts";

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
/** Texts that are shortened before they are masked. Masking also recognizes a secret whose end was cut off. */
const LONGEST: Readonly<Record<string, number>> = { message: 4_000, statusMessage: 4_000, logger: 256 };
const DEEPEST = 128;
const TOO_DEEP = "[nested too deeply]";
/** Masking more than this at once would block the process. Counts texts, keys and a weight per value. */
const MOST_IN_QUESTIONS = 2 * 1024 * 1024;
const MOST_IN_NOTIFICATION = 1024 * 1024;
const VALUE = 8;
const TOO_LARGE = "[data that is too large to show]";

/** How much of a server's questions may still be masked. Questions that are asked together share it. */
export interface MaskBudget {
  left: number;
  isExceeded: boolean;
}

export function createMaskBudget(left: number = MOST_IN_QUESTIONS): MaskBudget {
  return { left, isExceeded: false };
}

/** Masks secrets that a server repeats in a question, and shortens its message. Throws an `RpcRefusal` if it is too large. */
export function maskQuestion(redactor: Redactor, params: JsonObject, budget: MaskBudget): JsonObject {
  const masked = mask(redactor, params, budget);
  if (budget.isExceeded) throw new RpcRefusal(INVALID_PARAMS, "The request is too large.");
  return masked;
}

/** Masks secrets that a server repeats in its progress or in a task's status. Long texts are shortened, other large members replaced. */
export function maskNotification(redactor: Redactor, params: JsonObject): JsonObject {
  return mask(redactor, params, createMaskBudget(MOST_IN_NOTIFICATION));
}

/** Masks secrets that a server repeats in a log message. */
export function maskLog(redactor: Redactor, { data, ...rest }: JsonObject): JsonObject {
  const masked = maskNotification(redactor, rest);
  if (data === undefined) return masked;
  const redact = (text: string): string => redactor.redact(text);
  const budget = createMaskBudget(MOST_IN_NOTIFICATION);
  const shown = maskValue(data, { text: redact, other: redact, budget }, true, 0);
  return { ...masked, data: budget.isExceeded ? TOO_LARGE : shown };
}

function mask(redactor: Redactor, params: JsonObject, budget: MaskBudget): JsonObject {
  if (isHuge(params)) {
    budget.isExceeded = true;
    return {};
  }
  const masks: Masks = {
    text: (text) => redactor.redact(text),
    other: redactor.maskLongValues() ?? ((text: string) => text),
    budget,
  };
  // Large lists and objects come last, so that they do not use up what texts need.
  const members = Object.entries(params).sort((left, right) => weightOf(left[1]) - weightOf(right[1]));
  return Object.fromEntries(
    members.map(([key, member]) => {
      const longest = Object.hasOwn(LONGEST, key) ? LONGEST[key] : undefined;
      const value = typeof member === "string" && longest !== undefined ? truncate(member, longest) : member;
      const masked = maskValue(value, masks, TEXTS.has(key), 1);
      const isText = typeof masked === "string" && longest !== undefined;
      return [masks.other(key), isText ? truncate(masked, longest) : masked];
    }),
  );
}

function weightOf(member: JsonValue): number {
  if (typeof member === "object" && member !== null) return Number.MAX_SAFE_INTEGER;
  return typeof member === "string" ? member.length : 0;
}

interface Masks {
  text(text: string): string;
  /** For keys, and for texts that are not for people. */
  other(text: string): string;
  readonly budget: MaskBudget;
}

/** Masks a value. A part that exceeds the budget is replaced completely. */
function maskValue(value: JsonValue, masks: Masks, isText: boolean, depth: number): JsonValue {
  const { budget } = masks;
  if (typeof value === "string") {
    if (!spend(budget, value.length)) return TOO_LARGE;
    return isText ? masks.text(value) : masks.other(value);
  }
  if (!spend(budget, 0)) return TOO_LARGE;
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return TOO_DEEP;
  if (isList(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      items.push(maskValue(item, masks, isText, depth + 1));
      if (budget.left <= 0) return exceed(budget);
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  if (isHuge(value)) return exceed(budget);
  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (!spend(budget, key.length)) return TOO_LARGE;
    members.push([masks.other(key), maskValue(member, masks, TEXTS.has(key), depth + 1)]);
    if (budget.left <= 0) return exceed(budget);
  }
  return Object.fromEntries(members);
}

/**
 * Subtracts the weight of a value from the budget. If the budget is too small, returns `false` and subtracts only the weight of the
 * replacement.
 */
function spend(budget: MaskBudget, length: number): boolean {
  const isEnough = length + VALUE <= budget.left;
  if (!isEnough) budget.isExceeded = true;
  budget.left -= isEnough ? length + VALUE : VALUE;
  return isEnough;
}

function exceed(budget: MaskBudget): string {
  budget.isExceeded = true;
  return TOO_LARGE;
}
