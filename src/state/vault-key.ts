import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type FileLock, updateFile, withFileLock } from "../documents/index.ts";
import { HostError, messageOf } from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

const KEY_BYTES = 32;

/** Returns the vault's key from the system's keychain or from a file next to the entries. Creates nothing. */
export async function findVaultKey(
  ports: Ports,
  environment: Environment,
  folder: string,
): Promise<Buffer | undefined> {
  const inFile = await keyInFile(ports, environment, folder);
  if (inFile !== undefined) return inFile;
  // The marker file means that the key is in the keychain. If the keychain is unavailable now, no second key must be
  // created.
  if ((await ports.files.kind(markerFile(folder))) === undefined) return undefined;
  return readKeychain(ports, folder);
}

/**
 * Creates the key of a vault that has none. Call it only for a vault without entries: a new key cannot decrypt old
 * entries.
 */
export async function createVaultKey(
  ports: Ports,
  environment: Environment,
  folder: string,
): Promise<Buffer> {
  await ports.files.makeFolder(folder, 0o700);
  return withFileLock(
    ports,
    join(folder, "key.lock"),
    async (lock) =>
      (await findVaultKey(ports, environment, folder)) ?? (await newKey(ports, environment, folder, lock)),
    { waitMs: 60_000 }, // a keychain may ask the user for a password first
  );
}

/** Returns whether the key is still saved. Another process may have removed the vault. */
export async function isKeySaved({ files }: Ports, folder: string): Promise<boolean> {
  return (await files.present([keyFile(folder), markerFile(folder)])).size > 0;
}

/** Returns the keychain entry of the vault's key, and the marker file that exists while the keychain has the key. */
export function keychainEntry({ state }: OwnPaths): { readonly name: string; readonly marker: string } {
  const folder = vaultFolder(state);
  return { name: entryName(folder), marker: markerFile(folder) };
}

/** Returns the error for a vault whose key is missing. */
export function missingKey(folder: string): HostError {
  return new HostError("STATE_UNREADABLE", `The key of the vault ${folder} is missing.`, {
    hint: `Restore ${keyFile(folder)} or the keychain entry from a backup. Without it the entries are lost: delete ${folder}, then store your secrets and sign in again.`,
  });
}

async function newKey(
  ports: Ports,
  environment: Environment,
  folder: string,
  lock: FileLock,
): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await lock.assertHeld(); // the keychain cannot check the lock
  if (mayUseKeychain(environment) && (await storeInKeychain(ports, folder, key))) {
    await ports.files.remove(markerFile(folder));
    await ports.files.create(
      markerFile(folder),
      "The key of this folder is in the system's keychain.\n",
      0o600,
    );
  } else {
    await updateFile(ports, keyFile(folder), () => `${key.toString("base64")}\n`, lock); // atomic
  }
  return key;
}

/** Returns the path of the key file. */
export const keyFile = (folder: string): string => join(folder, "master.key");
const markerFile = (folder: string): string => join(folder, "key-in-keychain");

async function keyInFile(
  { files }: Ports,
  environment: Environment,
  folder: string,
): Promise<Buffer | undefined> {
  const file = keyFile(folder);
  const bytes = await files.read(file);
  if (bytes === undefined) return undefined;
  const mode = await files.mode(file);
  if (isOpenToOthers(mode, environment)) {
    throw new HostError("STATE_UNREADABLE", `Other users can read the vault's key ${file}.`, {
      hint: `Run: chmod 600 ${file}. If someone else may have read it, replace the secrets and sign in again.`,
    });
  }
  const key = Buffer.from(new TextDecoder().decode(bytes).trim(), "base64");
  if (key.length === KEY_BYTES) return key;
  throw new HostError("STATE_UNREADABLE", `${file} does not contain a key.`, {
    hint: `Restore it from a backup. Without it the entries are lost: delete ${folder}, then store your secrets and sign in again.`,
  });
}

/** Returns whether other users can access a file. Windows has no such modes; there, the user's folder is protected. */
export function isOpenToOthers(mode: number | undefined, { platform }: Environment): boolean {
  return platform !== "win32" && ((mode ?? 0) & 0o077) !== 0;
}

async function readKeychain({ keychain }: Ports, folder: string): Promise<Buffer | undefined> {
  let text: string | undefined;
  try {
    text = await keychain.read(entryName(folder));
  } catch (cause) {
    throw new HostError("STATE_UNREADABLE", `The system's keychain cannot be read: ${messageOf(cause)}`, {
      hint: `Unlock it: it holds the key of your stored sign-ins and secrets. If that is not possible, delete ${folder}, set PLUGBOARD_KEYCHAIN=off and sign in again.`,
      cause,
    });
  }
  const key = Buffer.from(text ?? "", "base64");
  return key.length === KEY_BYTES ? key : undefined;
}

/** Writes the key to the keychain and reads it back, because some keychains accept a value but do not store it. */
async function storeInKeychain({ keychain, log }: Ports, folder: string, key: Buffer): Promise<boolean> {
  const text = key.toString("base64");
  try {
    await keychain.write(entryName(folder), text);
    return (await keychain.read(entryName(folder))) === text;
  } catch (error) {
    log.log("info", "vault.keychain.absent", { error: messageOf(error) });
    return false;
  }
}

/** Returns the path of the vault. */
export const vaultFolder = (state: string): string => join(state, "vault");
const entryName = (folder: string): string => `vault ${folder}`;

/** Returns whether to use the keychain. `PLUGBOARD_KEYCHAIN=off` disables it. On Linux, it requires a session bus. */
function mayUseKeychain({ platform, variables }: Environment): boolean {
  if (variables["PLUGBOARD_KEYCHAIN"] === "off") return false;
  return platform !== "linux" || Boolean(variables["DBUS_SESSION_BUS_ADDRESS"]);
}
