import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  looksSecret,
  maskArguments,
  maskText,
  maskUrl,
} from "../model/index.ts";
import { sourceOf } from "./value-source.ts";

/** A plain-text secret in a config file. */
export interface LiteralSecret {
  /** Its position in the entry: `env.API_KEY`, `headers.Authorization`, `args[2]`, `url`, `oauth.clientSecret`. */
  readonly field: string;
  /**
   * The member of `env`, `headers` or `oauth`, which can refer to a stored secret instead. Arguments and URLs cannot.
   */
  readonly member?: { readonly map: string; readonly key: string; readonly value: string };
}

/** Finds plain-text secrets in an entry. References (`${NAME}`, `keychain:name`, `!command`) are not secrets. */
export function findLiteralSecrets(
  fields: JsonObject,
  { secretValues = false }: { readonly secretValues?: boolean | undefined },
): LiteralSecret[] {
  const { args, url } = fields;
  const list = itemsOf(args);
  const words = list.map((word) => (typeof word === "string" ? word : ""));
  const masked = maskArguments(words);
  return [
    ...["env", "headers", "oauth"].flatMap((map) => {
      const members = fields[map];
      if (!isJsonObject(members)) return [];
      return Object.entries(members).flatMap(([key, value]) => {
        if (map === "oauth" && isJsonObject(value)) return secretsInside(`oauth.${key}`, value);
        if (typeof value !== "string" || !containsSecret(key, value)) return [];
        if (secretValues && map !== "oauth" && isReference(value)) return [];
        return [{ field: `${map}.${key}`, member: { map, key, value } }];
      });
    }),
    ...words.flatMap((word, index) =>
      word !== "" && masked[index] !== word && isPlain(word) ? [{ field: `args[${index}]` }] : [],
    ),
    ...(typeof url === "string" && maskUrl(url) !== url && isPlain(url) ? [{ field: "url" }] : []),
  ];
}

function secretsInside(field: string, members: JsonObject): LiteralSecret[] {
  return Object.entries(members).flatMap(([key, value]) => {
    if (isJsonObject(value)) return secretsInside(`${field}.${key}`, value);
    return typeof value === "string" && containsSecret(key, value) ? [{ field: `${field}.${key}` }] : [];
  });
}

/** Returns whether a value is a plain-text secret, by its name or its format. */
function containsSecret(name: string, value: string): boolean {
  return (looksSecret(name, value) || maskText(value) !== value) && isPlain(value);
}

/** Returns whether a secret-looking text contains more than a variable with a prefix or inside a URL. */
export function isPlain(text: string): boolean {
  const rest = text.replaceAll(/\$\{[^{}:]+\}|\$\{keychain:[^{}]+\}/g, "");
  if (rest === text) return true;
  return /:\/\//.test(rest) ? maskUrl(rest) !== rest : !/^(?:[-A-Za-z]{1,20}[ :=]+)*$/.test(rest);
}

/**
 * For formats that support them: returns whether the value is a variable's name, a command, a stored secret or a
 * file.
 */
function isReference(value: string): boolean {
  return sourceOf(value) !== undefined || /^[A-Z]+(?:_[A-Z0-9_]+)?$/.test(value);
}
