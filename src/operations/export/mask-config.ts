import {
  isJsonObject,
  isList,
  type JsonValue,
  looksSecret,
  maskArguments,
  maskText,
  Redactor,
  TextMatcher,
} from "../../model/index.ts";

const MASK = "[secret]";

/** Longer secrets are matched without their quotes. */
const LONGEST_QUOTED = 256;

/** A reference to a variable, file or stored secret in some tool's syntax, without a default value. */
const NAMES_A_VARIABLE = /^keychain:\S+$|^(?:\w+ )?(?:\$\{(?:(?!:-)[^}])+\}|\{(?:env|file):[^}]+\}|\$\w+)$/;

/** Masks the secrets in a value of a config file. `plain` lists texts that are known not to be secrets. */
export function maskConfigValue(value: JsonValue, plain: ReadonlySet<string>, key = ""): JsonValue {
  if (typeof value === "string") return maskMember(key, value, plain);
  if (isList(value)) {
    const texts = value.every((item) => typeof item === "string") ? maskArguments(value.map(String)) : [];
    return value.map((item, index) => {
      if (typeof item !== "string") return maskConfigValue(item, plain, key);
      return plain.has(item) ? item : (texts[index] ?? maskMember(key, item, plain));
    });
  }
  if (!isJsonObject(value)) return value;
  const masked: Record<string, JsonValue> = Object.create(null);
  for (const [name, member] of Object.entries(value)) masked[name] = maskConfigValue(member, plain, name);
  return masked;
}

/** Masks the secrets in a changed value. If the mask hides that a text changed, the text says so. */
export function maskChangedValue(before: JsonValue | undefined, after: JsonValue): JsonValue {
  const none: ReadonlySet<string> = new Set();
  const mark = (old: JsonValue | undefined, now: JsonValue, shown: JsonValue): JsonValue => {
    if (typeof now === "string" && typeof shown === "string")
      return shown === now || typeof old !== "string" || old === now ? shown : `${shown} (changed)`;
    if (isList(now) && isList(shown))
      return now.map((item, index) => mark(itemAt(old, index), item, shown[index] ?? null));
    if (!isJsonObject(now) || !isJsonObject(shown)) return shown;
    const members = isJsonObject(old) ? old : {};
    return Object.fromEntries(
      Object.entries(now).map(([key, item]) => [
        key,
        mark(Object.hasOwn(members, key) ? members[key] : undefined, item, shown[key] ?? null),
      ]),
    );
  };
  return mark(before, after, maskConfigValue(after, none));
}

/** Masks in a config file's text the secrets that `maskConfigValue` masks in its value. */
export function maskConfigText(text: string, value: JsonValue, plain: ReadonlySet<string>): string {
  const secrets = secretsIn(value, maskConfigValue(value, plain));
  const quoted = new TextMatcher(2);
  for (const secret of secrets.filter(({ length }) => length <= LONGEST_QUOTED))
    for (const written of [JSON.stringify(secret), `'${secret}'`])
      quoted.add(written, JSON.stringify(MASK), { isWord: false });
  const redactor = new Redactor();
  redactor.addAll(secrets);
  return redactor.redact(quoted.replace(text));
}

function maskMember(key: string, text: string, plain: ReadonlySet<string>): string {
  if (plain.has(text) || NAMES_A_VARIABLE.test(text)) return text;
  return looksSecret(key, text) ? MASK : maskText(text);
}

/** Returns the texts that were masked. */
function secretsIn(value: JsonValue, masked: JsonValue): string[] {
  const found = new Set<string>();
  const walk = (left: JsonValue, right: JsonValue | undefined): void => {
    if (typeof left === "string" && left !== right) found.add(left);
    else if (isList(left)) left.forEach((item, index) => walk(item, itemAt(right, index)));
    else if (isJsonObject(left))
      for (const [key, item] of Object.entries(left))
        walk(item, isJsonObject(right) ? right[key] : undefined);
  };
  walk(value, masked);
  return [...found];
}

function itemAt(value: JsonValue | undefined, index: number): JsonValue | undefined {
  return value !== undefined && isList(value) ? value[index] : undefined;
}
