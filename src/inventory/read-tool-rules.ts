import {
  CALL_ANSWERS,
  type CallAnswer,
  isJsonObject,
  type JsonValue,
  PIN_POLICIES,
  type ToolRules,
} from "../model/index.ts";
import type { FieldReader } from "./field-reader.ts";

/**
 * Reads an entry's rules for its tools. An invalid rule is read as the strictest value, so that a typo never allows
 * more.
 */
export function readToolRules(fields: FieldReader, isNative: boolean): ToolRules {
  const trust = readTrust(fields, isNative);
  const pins = readPins(fields);
  const allowTools = readAllowed(fields, isNative);
  return {
    ...(trust && { trust }),
    ...(allowTools && { allowTools }),
    denyTools: readDenied(fields),
    approval: readApproval(fields),
    ...(pins && { pins }),
  };
}

function readTrust(fields: FieldReader, isNative: boolean): ToolRules["trust"] {
  const value = fields.value("trust");
  if (value === undefined) return undefined;
  // `false` is Gemini's default for this field and says nothing about the tools.
  if (typeof value === "boolean" && !isNative) return value ? "trusted" : undefined;
  if (value === true) return "trusted";
  if (value === "trusted" || value === "untrusted") return value;
  complain(fields, "trust", 'must be "trusted" or "untrusted"; "untrusted" is used');
  return "untrusted";
}

function readPins(fields: FieldReader): ToolRules["pins"] {
  const value = fields.value("pins");
  if (value === undefined) return undefined;
  const policy = PIN_POLICIES.find((name) => name === value);
  if (policy === undefined)
    complain(fields, "pins", `must be one of ${PIN_POLICIES.join(", ")}; "hold" is used`);
  return policy ?? "hold";
}

function readAllowed(fields: FieldReader, isNative: boolean): readonly string[] | undefined {
  const value = fields.value("allowTools");
  if (value === undefined) return undefined;
  const names = namesIn(value);
  if (names === undefined || (names.length === 0 && isNative))
    complain(
      fields,
      "allowTools",
      "must be a non-empty list of tools; until you fix it, no tools are allowed",
    );
  return names ?? [];
}

function readDenied(fields: FieldReader): readonly string[] {
  const value = fields.value("denyTools");
  if (value === undefined) return [];
  const names = namesIn(value);
  if (names === undefined)
    complain(fields, "denyTools", "must be a list of tools; until you fix it, all tools are denied");
  return names ?? ["*"];
}

function readApproval(fields: FieldReader): ToolRules["approval"] {
  const value = fields.value("approval");
  if (value === undefined) return [];
  const rules = isJsonObject(value) ? Object.entries(value) : [["*", value] as const];
  return rules.map(([pattern, given]) => {
    const answer = CALL_ANSWERS.find((name): name is CallAnswer => name === given);
    if (answer === undefined)
      complain(
        fields,
        "approval",
        `must be one of ${CALL_ANSWERS.join(", ")}, or an object that maps tools to one of them; "ask" is used`,
      );
    return { pattern, answer: answer ?? "ask" };
  });
}

function namesIn(value: JsonValue): readonly string[] | undefined {
  const isNames = Array.isArray(value) && value.every((name) => typeof name === "string");
  return isNames ? value : undefined;
}

function complain(fields: FieldReader, field: string, what: string): void {
  fields.complain("field-type", `"${field}" ${what}`, field, "error");
}
