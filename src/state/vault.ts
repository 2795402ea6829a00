import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { updateFile, withFileLock } from "../documents/index.ts";
import { codeOf, HostError, isJsonObject, type JsonValue, messageOf } from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import type { Places } from "./places.ts";
import { vaultKey } from "./vault-key.ts";

export interface VaultEntry {
  readonly key: string;
  readonly value: JsonValue;
}

/** Values that only this person may read, by namespace and key. What cannot be read counts as absent. */
export interface Vault {
  read(namespace: string, key: string): Promise<JsonValue | undefined>;
  list(namespace: string): Promise<VaultEntry[]>;
  /** The update sees the value as it is under the lock; answering `undefined` leaves it alone. */
  update(
    namespace: string,
    key: string,
    update: (current: JsonValue | undefined) => JsonValue | undefined,
  ): Promise<void>;
  /** Answers whether there was anything. */
  remove(namespace: string, key: string): Promise<boolean>;
  /** One at a time across processes, for work on an entry that takes longer than a write. */
  exclusively<T>(namespace: string, key: string, action: () => Promise<T>): Promise<T>;
}

/** Longer than any single request that is made while the lock is held. */
const LONGEST_HOLD_MS = 30_000;

/** One file per entry, AES-256-GCM, bound to its file name: an entry can be lost, but not mistaken for another. */
export function createVault(ports: Ports, places: Places, environment: Environment): Vault {
  const folder = join(places.state, "vault");
  let loading: Promise<Buffer> | undefined;
  const masterKey = (): Promise<Buffer> => {
    loading ??= vaultKey(ports, environment, folder).catch((error: unknown) => {
      loading = undefined; // a keychain that was locked may be open next time
      throw error;
    });
    return loading;
  };
  /** What the disk refuses, in words. */
  const inWords = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw codeOf(error) === undefined || error instanceof HostError ? error : unusable(folder, error);
    });
  const fileOf = (stem: string): string => join(folder, `${stem}.sealed`);

  const unseal = async (stem: string, bytes: Uint8Array): Promise<Content | undefined> => {
    const key = await masterKey();
    try {
      return open(key, stem, new TextDecoder().decode(bytes));
    } catch (error) {
      ports.log.log("warn", "vault.entry.unreadable", { file: fileOf(stem), error: messageOf(error) });
      return undefined;
    }
  };
  const read = async (stem: string): Promise<Content | undefined> => {
    const bytes = await ports.files.read(fileOf(stem));
    return bytes && unseal(stem, bytes);
  };

  return {
    read: async (namespace, key) => (await inWords(read(stemOf(namespace, key))))?.value,
    async list(namespace) {
      const stems = (await ports.files.list(folder)).flatMap(
        (file) => /^([0-9a-f]{64})\.sealed$/.exec(file)?.[1] ?? [],
      );
      const found = await inWords(Promise.all(stems.map(read)));
      return found
        .flatMap((content) => (content?.namespace === namespace ? [content] : []))
        .map(({ key, value }) => ({ key, value }))
        .sort((left, right) => (left.key < right.key ? -1 : 1));
    },
    async update(namespace, key, update) {
      const secret = await inWords(masterKey());
      const stem = stemOf(namespace, key);
      await updateFile(ports, fileOf(stem), (text) => {
        const value = update(readable(secret, stem, text)?.value);
        return value === undefined ? undefined : seal(secret, stem, { namespace, key, value });
      });
    },
    async remove(namespace, key) {
      const file = fileOf(stemOf(namespace, key));
      if ((await inWords(ports.files.kind(file))) === undefined) return false;
      await inWords(withFileLock(ports, `${file}.lock`, () => ports.files.remove(file)));
      return true;
    },
    async exclusively(namespace, key, action) {
      await inWords(ports.files.makeFolder(folder, 0o700));
      return withFileLock(ports, `${fileOf(stemOf(namespace, key))}.turn`, action, LONGEST_HOLD_MS);
    },
  };
}

function unusable(folder: string, cause: unknown): HostError {
  return new HostError("STATE_UNREADABLE", `${folder} cannot be used: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of that folder and what is in it, and the space on the disk.",
    cause,
  });
}

interface Content extends VaultEntry {
  readonly namespace: string;
}

/** Names are never paths. */
function stemOf(namespace: string, key: string): string {
  return createHash("sha256").update(`${namespace}\0${key}`).digest("hex");
}

function seal(secret: Buffer, stem: string, content: Content): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.from(stem));
  const data = Buffer.concat([cipher.update(JSON.stringify(content), "utf8"), cipher.final()]);
  const [ivText, tag, dataText] = [iv, cipher.getAuthTag(), data].map((bytes) => bytes.toString("base64"));
  return `${JSON.stringify({ version: 1, iv: ivText, tag, data: dataText })}\n`;
}

function readable(secret: Buffer, stem: string, text: string | undefined): Content | undefined {
  try {
    return text === undefined ? undefined : open(secret, stem, text);
  } catch {
    return undefined; // what cannot be read is replaced
  }
}

function open(secret: Buffer, stem: string, text: string): Content {
  const sealed: unknown = JSON.parse(text);
  const { version, iv, tag, data } = isJsonObject(sealed) ? sealed : {};
  if (version !== 1) throw new Error("it is no entry of this version");
  const bytes = (part: JsonValue | undefined): Buffer => Buffer.from(String(part), "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes(iv), { authTagLength: 16 })
    .setAAD(Buffer.from(stem))
    .setAuthTag(bytes(tag));
  const plain = Buffer.concat([decipher.update(bytes(data)), decipher.final()]).toString("utf8");
  const content: unknown = JSON.parse(plain);
  const { namespace, key, value } = isJsonObject(content) ? content : {};
  if (typeof namespace !== "string" || typeof key !== "string" || value === undefined)
    throw new Error("it holds no value");
  return { namespace, key, value };
}
