import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { isJsonObject, type JsonValue } from "../model/index.ts";

/** The content of a sealed entry. */
export interface SealedContent {
  readonly namespace: string;
  readonly key: string;
  readonly value: JsonValue;
}

/** Encrypts an entry with AES-256-GCM. It is bound to its name, so that entries cannot be swapped. */
export function seal(secret: Buffer, name: string, content: SealedContent): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.from(name));
  const data = Buffer.concat([cipher.update(JSON.stringify(content), "utf8"), cipher.final()]);
  const [ivText, tag, dataText] = [iv, cipher.getAuthTag(), data].map((bytes) => bytes.toString("base64"));
  return `${JSON.stringify({ version: 1, iv: ivText, tag, data: dataText })}\n`;
}

/** Decrypts an entry. Its generation is the random part of its encryption, which every write replaces. */
export function unseal(
  secret: Buffer,
  name: string,
  text: string,
): SealedContent & { readonly generation: string } {
  const sealed: unknown = JSON.parse(text);
  const { version, iv, tag, data } = isJsonObject(sealed) ? sealed : {};
  if (version !== 1) throw new Error("it is not an entry of this version");
  const bytes = (part: JsonValue | undefined): Buffer => Buffer.from(String(part), "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes(iv), { authTagLength: 16 })
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes(tag));
  const plain = Buffer.concat([decipher.update(bytes(data)), decipher.final()]).toString("utf8");
  const content: unknown = JSON.parse(plain);
  const { namespace, key, value } = isJsonObject(content) ? content : {};
  if (typeof namespace !== "string" || typeof key !== "string" || value === undefined)
    throw new Error("it contains no value");
  return { namespace, key, value, generation: String(iv) };
}
