import type { JsonObject, JsonValue } from "../../model/index.ts";
import type { SecretRecords } from "../../state/index.ts";
import type { LiteralSecret } from "../../values/index.ts";
import { storeSecret } from "../sign-in/secrets.ts";

/** An entry with references to its secrets, and the secrets that were stored for it. */
export interface MovedSecrets {
  /** The entry's fields, with references in place of secrets. */
  readonly fields: JsonObject;
  /** The names of the secrets that were stored. */
  readonly stored: readonly string[];
  /** Removes the stored secrets again. Call it if the entry could not be written. */
  undo(): Promise<void>;
}

/** Stores an entry's secrets in the vault and replaces them with references. Arguments and URLs cannot contain references. */
export async function moveSecrets(
  store: SecretRecords,
  server: string,
  fields: JsonObject,
  secrets: readonly LiteralSecret[],
): Promise<MovedSecrets> {
  const stored: string[] = [];
  const undo = async (): Promise<void> => {
    for (const name of stored) await store.remove(name);
  };
  const moved: Record<string, JsonValue> = { ...fields };
  try {
    for (const { member } of secrets) {
      if (member === undefined) continue;
      const { map, key, value } = member;
      const [, scheme = "", text = value] = /^((?:bearer|basic)\s+)(.+)$/is.exec(value) ?? [];
      const { name, isNew } = await freeName(store, `${server}/${key}`, text);
      if (isNew) {
        await storeSecret(store, name, text);
        stored.push(name);
      }
      const isWhole = scheme === "" && map !== "oauth";
      const reference = isWhole ? `keychain:${name}` : `${scheme}\${keychain:${name}}`;
      moved[map] = { ...(moved[map] as JsonObject), [key]: reference };
    }
  } catch (error) {
    await undo();
    throw error;
  }
  return { fields: moved, stored, undo };
}

/** Returns a name that is not in use, or one whose secret has the same text. */
async function freeName(
  store: SecretRecords,
  wanted: string,
  text: string,
): Promise<{ readonly name: string; readonly isNew: boolean }> {
  const base = wanted
    .replaceAll(/[^\w.@/+-]/g, "_")
    .replace(/^[^A-Za-z0-9_]/, "_")
    .slice(0, 180);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    const kept = await store.get(name);
    if (kept === undefined || kept === text) return { name, isNew: kept === undefined };
  }
}
