import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { type FileLock, updateFile, withFileLock } from "../documents/index.ts";
import {
  codeOf,
  HostError,
  isJsonObject,
  type JsonValue,
  messageOf,
  type Problem,
  sharedRun,
} from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";
import {
  createVaultKey,
  findVaultKey,
  isKeySaved,
  isOpenToOthers,
  missingKey,
  vaultFolder,
} from "./vault-key.ts";

/** An entry of the vault. */
export interface VaultEntry {
  readonly key: string;
  readonly value: JsonValue;
}

/** A lock for longer work on an entry. Only one process holds it at a time. */
export type EntryLock = Pick<FileLock, "assertHeld">;

/** Encrypted values that only this user can read, by namespace and key. */
export interface Vault {
  /**
   * Returns an entry, or `undefined` if it does not exist. Throws if the entry is damaged, the vault's key is missing,
   * or other users can read the key. Creates nothing.
   */
  read(namespace: string, key: string): Promise<JsonValue | undefined>;
  /** Returns all readable entries of a namespace. `check` reports the others. */
  list(namespace: string): Promise<VaultEntry[]>;
  /**
   * Changes an entry. `update` gets the current value while the entry is locked, or `undefined` if it does not exist or
   * is damaged. If it returns `undefined`, the entry is not changed. Throws if another process has taken over `turn`.
   */
  update(
    namespace: string,
    key: string,
    update: (current: JsonValue | undefined) => JsonValue | undefined,
    turn?: EntryLock,
  ): Promise<void>;
  /** Removes an entry. Returns whether it existed. Throws if another process has taken over `turn`. */
  remove(namespace: string, key: string, turn?: EntryLock): Promise<boolean>;
  /** Runs an action in one process at a time, for work on an entry that takes longer than a write. */
  withEntryLock<T>(namespace: string, key: string, action: (turn: EntryLock) => Promise<T>): Promise<T>;
  /** Reports damaged entries, a missing key, and files that others can read. */
  check(): Promise<Problem[]>;
}

/** Longer than any single request that is made while the lock is held. */
const LONGEST_HOLD_MS = 30_000;

/**
 * Creates a vault with one AES-256-GCM file per entry. Each is bound to its file name, so that entries cannot be
 * swapped.
 */
export function createVault(ports: Ports, places: OwnPaths, environment: Environment): Vault {
  const { files } = ports;
  const folder = vaultFolder(places.state);
  const fileOf = (stem: string): string => join(folder, `${stem}.sealed`);
  let known: Buffer | undefined;
  /** Finds the key. The result is not cached, because a locked keychain may be unlocked later. */
  const findKey = sharedRun(() => findVaultKey(ports, environment, folder));
  const existingKey = async (): Promise<Buffer> => {
    known ??= await findKey();
    if (known === undefined) throw missingKey(folder);
    return known;
  };
  const writingKey = async (): Promise<Buffer> => {
    if (known !== undefined && !(await isKeySaved(ports, folder))) known = undefined;
    known ??= await findKey();
    if (known === undefined && (await stems()).length > 0) throw missingKey(folder);
    known ??= await createVaultKey(ports, environment, folder);
    return known;
  };
  /** Converts system errors to `HostError`. */
  const translated = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw codeOf(error) === undefined || error instanceof HostError ? error : unusable(folder, error);
    });
  const stems = async (): Promise<string[]> =>
    (await files.list(folder)).flatMap((file) => /^([0-9a-f]{64})\.sealed$/.exec(file)?.[1] ?? []);

  const read = async (stem: string): Promise<Content | undefined> => {
    const bytes = await files.read(fileOf(stem));
    if (bytes === undefined) return undefined;
    const key = await existingKey();
    try {
      return open(key, stem, new TextDecoder().decode(bytes));
    } catch (cause) {
      throw damaged(fileOf(stem), cause);
    }
  };
  /** Reads an entry. Skips a damaged entry, but throws for a missing key, which affects all entries. */
  const readable = async (stem: string): Promise<Content | undefined> => {
    try {
      return await read(stem);
    } catch (error) {
      if (!isDamage(error)) throw error;
      ports.log.log("warn", "vault.entry.unreadable", { file: fileOf(stem), error: messageOf(error.cause) });
      return undefined;
    }
  };

  return {
    read: async (namespace, key) => (await translated(read(stemOf(namespace, key))))?.value,
    async list(namespace) {
      const found = await translated(stems().then((all) => Promise.all(all.map(readable))));
      return found
        .flatMap((content) => (content?.namespace === namespace ? [content] : []))
        .map(({ key, value }) => ({ key, value }))
        .sort((left, right) => (left.key < right.key ? -1 : 1));
    },
    async update(namespace, key, update, turn) {
      const secret = await translated(writingKey());
      const stem = stemOf(namespace, key);
      const change = (text: string | undefined): string | undefined => {
        const value = update(openOrNothing(secret, stem, text)?.value);
        return value === undefined ? undefined : seal(secret, stem, { namespace, key, value });
      };
      await updateFile(ports, fileOf(stem), change, turn);
    },
    async remove(namespace, key, turn) {
      const file = fileOf(stemOf(namespace, key));
      if ((await translated(files.kind(file))) === undefined) return false;
      const removal = withFileLock(ports, `${file}.lock`, async (lock) => {
        await turn?.assertHeld();
        await lock.assertHeld();
        await files.remove(file);
      });
      await translated(removal);
      return true;
    },
    async withEntryLock(namespace, key, action) {
      await translated(files.makeFolder(folder, 0o700));
      return withFileLock(ports, `${fileOf(stemOf(namespace, key))}.turn`, action, {
        waitMs: LONGEST_HOLD_MS,
      });
    },
    async check() {
      const entries = await stems();
      const modes = await Promise.all(
        [folder, ...entries.map(fileOf)].map(async (path) => ({ path, mode: await files.mode(path) })),
      );
      const open = modes
        .filter(({ mode }) => isOpenToOthers(mode, environment))
        .map(({ path }) => problem(path, openToOthers(path, path === folder ? "700" : "600")));
      const failures = await Promise.all(
        entries.map((stem) =>
          read(stem).then(
            () => undefined,
            (error: unknown) => ({ stem, error }),
          ),
        ),
      );
      const failed = failures.flatMap((failure) => (failure === undefined ? [] : [failure]));
      const others = failed.filter(({ error }) => !isDamage(error)).slice(0, 1); // all entries have the same key
      return [
        ...open,
        ...others.map(({ error }) => problem(folder, inOneSentence(error))),
        ...failed
          .filter(({ error }) => isDamage(error))
          .map(({ stem, error }) => problem(fileOf(stem), inOneSentence(error))),
      ];
    },
  };
}

function problem(file: string, message: string): Problem {
  return { code: "state-unreadable", severity: "error", message, file };
}

const openToOthers = (path: string, mode: string): string =>
  `Other users can read ${path}. Run: chmod ${mode} ${path}`;

function inOneSentence(error: unknown): string {
  return error instanceof HostError
    ? [error.message, error.hint].filter(Boolean).join(" ")
    : messageOf(error);
}

const DAMAGED = Symbol("damaged");

function damaged(file: string, cause: unknown): HostError {
  const error = new HostError("STATE_UNREADABLE", `${file} is damaged and cannot be decrypted.`, {
    hint: "Restore that file from a backup. Otherwise delete it, then store the secret or sign in again.",
    cause,
  });
  return Object.assign(error, { [DAMAGED]: true });
}

function isDamage(error: unknown): error is HostError {
  return error instanceof HostError && DAMAGED in error;
}

function unusable(folder: string, cause: unknown): HostError {
  return new HostError("STATE_UNREADABLE", `${folder} cannot be used: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of that folder and its files, and the free disk space.",
    cause,
  });
}

interface Content extends VaultEntry {
  readonly namespace: string;
}

/** Returns the name of an entry's file. It is a hash, so that keys are never used as paths. */
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

function openOrNothing(secret: Buffer, stem: string, text: string | undefined): Content | undefined {
  try {
    return text === undefined ? undefined : open(secret, stem, text);
  } catch {
    return undefined; // a write replaces a damaged entry
  }
}

function open(secret: Buffer, stem: string, text: string): Content {
  const sealed: unknown = JSON.parse(text);
  const { version, iv, tag, data } = isJsonObject(sealed) ? sealed : {};
  if (version !== 1) throw new Error("it is not an entry of this version");
  const bytes = (part: JsonValue | undefined): Buffer => Buffer.from(String(part), "base64");
  const decipher = createDecipheriv("aes-256-gcm", secret, bytes(iv), { authTagLength: 16 })
    .setAAD(Buffer.from(stem))
    .setAuthTag(bytes(tag));
  const plain = Buffer.concat([decipher.update(bytes(data)), decipher.final()]).toString("utf8");
  const content: unknown = JSON.parse(plain);
  const { namespace, key, value } = isJsonObject(content) ? content : {};
  if (typeof namespace !== "string" || typeof key !== "string" || value === undefined)
    throw new Error("it contains no value");
  return { namespace, key, value };
}
