import { type ExpansionRules, isJsonObject, type JsonValue, maskUrl } from "../../model/index.ts";
import { placeholdersIn, sourceOf } from "../../values/index.ts";
import { maskConfigValue } from "../export/mask-config.ts";

const MASK = "[secret]";
const VALUES = /^(?:(?:http|request)_?)?(?:env|environment|headers)$/i;
const SCHEME = /^(?:Bearer|Basic|Token)\s+$/i;

/** Returns a declared field with secrets masked. Of `env` and `headers` values, shows only placeholders and references. */
export function shownField(field: string, value: JsonValue, rules: ExpansionRules): JsonValue {
  if (VALUES.test(field)) return isJsonObject(value) ? shownValues(value, rules) : MASK;
  if (!isJsonObject(value)) return maskConfigValue(value, new Set(), field);
  const members = Object.entries(value).map(([name, item]) => [name, shownField(name, item, rules)] as const);
  return Object.fromEntries(members);
}

function shownValues(values: Readonly<Record<string, JsonValue>>, rules: ExpansionRules): JsonValue {
  const members = Object.entries(values).map(
    ([name, value]) => [name, typeof value === "string" ? shownValue(value, rules) : MASK] as const,
  );
  return Object.fromEntries(members);
}

/** Shows placeholders as in `Bearer ${TOKEN}`. Masks the text around them and their default values. */
function shownValue(text: string, rules: ExpansionRules): string {
  if (rules.secretValues === true && sourceOf(text) !== undefined) return maskUrl(text);
  let shown = "";
  let end = 0;
  const literal = (piece: string): string => (piece.trim() === "" || SCHEME.test(piece) ? piece : MASK);
  for (const { whole, index } of placeholdersIn(text, rules)) {
    const name = /^(\$\{[^}:]+):-[^}]*\}$/.exec(whole)?.[1];
    shown += literal(text.slice(end, index)) + (name === undefined ? whole : `${name}}`);
    end = index + whole.length;
  }
  return shown + literal(text.slice(end));
}
