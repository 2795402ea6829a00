import { join } from "node:path";
import { updateFile, withFileLock } from "../documents/index.ts";
import { codeOf, HostError, messageOf, type Problem, sharedRun } from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";
import { HOST_PRINCIPAL, principalPaths, USERS_FOLDER } from "./principal.ts";
import { type SealedContent, seal, unseal } from "./sealed-entry.ts";
import { sha256 } from "./sha256.ts";
import type { CredentialKey, CredentialStore } from "./stores.ts";
import {
  createVaultKey,
  findVaultKey,
  isKeySaved,
  isOpenToOthers,
  missingKey,
  vaultFolder,
} from "./vault-key.ts";

/** The credential store in files. */
export interface FileCredentials extends CredentialStore {
  /** Returns all readable entries of a principal. */
  entries(principal: string): Promise<readonly SealedContent[]>;
  /** Reports damaged entries, a missing key, and files that others can read. */
  check(principal: string): Promise<Problem[]>;
}

/** Longer than any single request that is made while the lock is held. */
const LONGEST_HOLD_MS = 30_000;

/** Creates a credential store with one encrypted file per entry, and one folder and name space per principal. */
export function createFileCredentials(
  ports: Ports,
  places: OwnPaths,
  environment: Environment,
): FileCredentials {
  const { files } = ports;
  const keyFolder = vaultFolder(places.state); // one key for all principals
  const folderOf = (principal: string): string => vaultFolder(principalPaths(places, principal).state);
  const fileIn = (folder: string, stem: string): string => join(folder, `${stem}.sealed`);
  const fileOf = (key: CredentialKey): string => fileIn(folderOf(key.principal), stemOf(key));
  let known: Buffer | undefined;
  /** Finds the key. The result is not cached, because a locked keychain may be unlocked later. */
  const findKey = sharedRun(() => findVaultKey(ports, environment, keyFolder));
  const existingKey = async (): Promise<Buffer> => {
    known ??= await findKey();
    if (known === undefined) throw missingKey(keyFolder);
    return known;
  };
  const writingKey = async (): Promise<Buffer> => {
    if (known !== undefined && !(await isKeySaved(ports, keyFolder))) known = undefined;
    known ??= await findKey();
    if (known === undefined && (await hasEntries())) throw missingKey(keyFolder);
    known ??= await createVaultKey(ports, environment, keyFolder);
    return known;
  };
  const stemsIn = async (folder: string): Promise<string[]> =>
    (await files.list(folder)).flatMap((file) => /^([0-9a-f]{64})\.sealed$/.exec(file)?.[1] ?? []);
  /** Returns whether any principal has entries. A new key could not decrypt them. */
  const hasEntries = async (): Promise<boolean> => {
    const users = join(places.state, USERS_FOLDER);
    const folders = [
      keyFolder,
      ...(await files.list(users)).map((folder) => vaultFolder(join(users, folder))),
    ];
    for (const folder of folders) if ((await stemsIn(folder)).length > 0) return true;
    return false;
  };
  /** Converts system errors to `HostError`. */
  const translated = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw codeOf(error) === undefined || error instanceof HostError ? error : unusable(keyFolder, error);
    });

  const read = async (file: string, stem: string): Promise<ReturnType<typeof unseal> | undefined> => {
    const bytes = await files.read(file);
    if (bytes === undefined) return undefined;
    const key = await existingKey();
    try {
      return unseal(key, stem, new TextDecoder().decode(bytes));
    } catch (cause) {
      throw damaged(file, cause);
    }
  };
  /** Reads all entries of a folder. Skips damaged ones, but throws for a missing key, which affects all. */
  const readAll = async (folder: string) => {
    const found = await Promise.all(
      (await stemsIn(folder)).map((stem) =>
        read(fileIn(folder, stem), stem).catch((error: unknown) => {
          if (!isDamaged(error)) throw error;
          const file = fileIn(folder, stem);
          ports.log.log("warn", "vault.entry.unreadable", { file, error: messageOf(error.cause) });
          return undefined;
        }),
      ),
    );
    return found.flatMap((entry) => entry ?? []);
  };

  return {
    async get(key) {
      const entry = await translated(read(fileOf(key), stemOf(key)));
      return entry && { value: entry.value, generation: entry.generation };
    },
    async set(key, value, generation) {
      const secret = await translated(writingKey());
      const stem = stemOf(key);
      const content: SealedContent = { namespace: key.namespace, key: key.key, value };
      let isWritten = false;
      await updateFile(ports, fileOf(key), (text) => {
        isWritten = generationOf(secret, stem, text) === generation;
        return isWritten ? seal(secret, stem, content) : undefined;
      });
      return isWritten;
    },
    async remove(key) {
      const file = fileOf(key);
      if ((await translated(files.kind(file))) === undefined) return false;
      const removal = withFileLock(ports, `${file}.lock`, async (lock) => {
        await lock.assertHeld();
        await files.remove(file);
      });
      await translated(removal);
      return true;
    },
    async list(principal, namespace) {
      const entries = await translated(readAll(folderOf(principal)));
      return entries
        .filter((entry) => entry.namespace === namespace)
        .map(({ key, value, generation }) => ({ key, value, generation }))
        .sort((left, right) => (left.key < right.key ? -1 : 1));
    },
    async exclusively(key, action) {
      await translated(files.makeFolder(folderOf(key.principal), 0o700));
      return withFileLock(ports, `${fileOf(key)}.turn`, action, { waitMs: LONGEST_HOLD_MS });
    },
    entries: (principal) => translated(readAll(folderOf(principal))),
    async check(principal) {
      const folder = folderOf(principal);
      const entries = (await stemsIn(folder)).map((stem) => ({ stem, file: fileIn(folder, stem) }));
      const modes = await Promise.all(
        [folder, ...entries.map(({ file }) => file)].map(async (path) => ({
          path,
          mode: await files.mode(path),
        })),
      );
      const open = modes
        .filter(({ mode }) => isOpenToOthers(mode, environment))
        .map(({ path }) => problem(path, openToOthers(path, path === folder ? "700" : "600")));
      const failures = await Promise.all(
        entries.map(({ stem, file }) =>
          read(file, stem).then(
            () => undefined,
            (error: unknown) => ({ file, error }),
          ),
        ),
      );
      const failed = failures.flatMap((failure) => (failure === undefined ? [] : [failure]));
      const others = failed.filter(({ error }) => !isDamaged(error)).slice(0, 1); // all entries have the same key
      return [
        ...open,
        ...others.map(({ error }) => problem(folder, inOneSentence(error))),
        ...failed
          .filter(({ error }) => isDamaged(error))
          .map(({ file, error }) => problem(file, inOneSentence(error))),
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

/** Returns whether an error means that one entry cannot be decrypted. */
export function isDamaged(error: unknown): error is HostError {
  return error instanceof HostError && DAMAGED in error;
}

function unusable(folder: string, cause: unknown): HostError {
  return new HostError("STATE_UNREADABLE", `${folder} cannot be used: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of that folder and its files, and the free disk space.",
    cause,
  });
}

/** Returns the name of an entry's file. It is a hash, so that keys are never used as paths. */
function stemOf({ principal, namespace, key }: CredentialKey): string {
  const owner = principal === HOST_PRINCIPAL ? [] : [principal];
  return sha256([...owner, namespace, key].join("\0"));
}

/** A damaged entry has no generation, so that a write replaces it. */
function generationOf(secret: Buffer, stem: string, text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : unseal(secret, stem, text).generation;
  } catch {
    return undefined;
  }
}
