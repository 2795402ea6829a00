import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  looksSecret,
  maskArguments,
  maskUrl,
} from "../model/index.ts";
import { sourceOf } from "./value-source.ts";

/** A secret that a config file contains in plain text. */
export interface LiteralSecret {
  /** Where it is in the entry: `env.API_KEY`, `headers.Authorization`, `args[2]`, `url`, `oauth.clientSecret`. */
  readonly field: string;
  /** The member of `env`, `headers` or `oauth`, which can name a stored secret instead. Arguments and URLs cannot. */
  readonly member?: { readonly map: string; readonly key: string; readonly value: string };
}

/** Finds secrets that an entry contains in plain text. References (`${NAME}`, `keychain:name`, `!command`) are not secrets. */
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
        if (typeof value !== "string" || !holdsSecret(key, value)) return [];
        if (secretValues && map !== "oauth" && isReference(value)) return [];
        return [{ field: `${map}.${key}`, member: { map, key, value } }];
      });
    }),
    ...words.flatMap((word, index) =>
      masked[index] !== word && isPlain(word) ? [{ field: `args[${index}]` }] : [],
    ),
    ...(typeof url === "string" && maskUrl(url) !== url && isPlain(url) ? [{ field: "url" }] : []),
  ];
}

function secretsInside(field: string, members: JsonObject): LiteralSecret[] {
  return Object.entries(members).flatMap(([key, value]) => {
    if (isJsonObject(value)) return secretsInside(`${field}.${key}`, value);
    return typeof value === "string" && holdsSecret(key, value) ? [{ field: `${field}.${key}` }] : [];
  });
}

/** Whether a value is a secret in plain text: by its name or by its shape. */
export function holdsSecret(name: string, value: string): boolean {
  return (looksSecret(name, value) || maskUrl(value) !== value) && isPlain(value);
}

/** Whether a text that looks secret holds more than a variable with a word before it, or an address around it. */
export function isPlain(text: string): boolean {
  const rest = text.replaceAll(/\$\{[^{}:]+\}|\$\{keychain:[^{}]+\}/g, "");
  if (rest === text) return true;
  return /:\/\//.test(rest) ? maskUrl(rest) !== rest : !/^(?:[-A-Za-z]{1,20}[ :=]+)*$/.test(rest);
}

/** In formats with such values, text that is a variable's name, a command, a stored secret or a file. */
function isReference(value: string): boolean {
  return sourceOf(value) !== undefined || /^[A-Z]+(?:_[A-Z0-9_]+)?$/.test(value);
}
