import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { updateFile, withFileLock } from "../documents/index.ts";
import { HostError, messageOf } from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";

const KEY_BYTES = 32;

/** Where the vault's master key is: the system's keychain where there is one, else a file beside the vault. */
export async function vaultKey(ports: Ports, environment: Environment, folder: string): Promise<Buffer> {
  const known = await keyInFile(ports, environment, folder);
  if (known !== undefined) return known;
  await ports.files.makeFolder(folder, 0o700);
  return withFileLock(
    ports,
    join(folder, "key.lock"),
    async () => (await keyInFile(ports, environment, folder)) ?? (await otherKey(ports, environment, folder)),
    60_000, // a keychain may ask its owner for a password first
  );
}

/** The marker says that the key is in the keychain: a keychain that is silent today must not lead to a second key. */
async function otherKey(ports: Ports, environment: Environment, folder: string): Promise<Buffer> {
  const marker = join(folder, "key-in-keychain");
  if ((await ports.files.kind(marker)) !== undefined) {
    const key = await readKeychain(ports, folder);
    if (key !== undefined) return key;
    ports.log.log("warn", "vault.key.lost", { folder }); // what it locked cannot be read any more
  }
  const key = randomBytes(KEY_BYTES);
  if (mayUseKeychain(environment) && (await keptByKeychain(ports, folder, key))) {
    await ports.files.remove(marker);
    await ports.files.create(marker, "The key of this folder is in the system's keychain.\n", 0o600);
  } else {
    await updateFile(ports, keyFile(folder), () => `${key.toString("base64")}\n`); // whole or not at all
  }
  return key;
}

const keyFile = (folder: string): string => join(folder, "master.key");

async function keyInFile(
  { files, log }: Ports,
  { platform }: Environment,
  folder: string,
): Promise<Buffer | undefined> {
  const bytes = await files.read(keyFile(folder));
  if (bytes === undefined) return undefined;
  const key = Buffer.from(new TextDecoder().decode(bytes).trim(), "base64");
  // On Windows the folder of the person keeps others out, and modes say nothing.
  const mode = platform === "win32" ? 0 : ((await files.mode(keyFile(folder))) ?? 0);
  if ((mode & 0o077) !== 0) log.log("warn", "vault.key.readable", { file: keyFile(folder) });
  if (key.length === KEY_BYTES) return key;
  throw new HostError("STATE_UNREADABLE", `${keyFile(folder)} holds no key.`, {
    hint: "Put the right one back, or delete that folder and sign in again.",
  });
}

async function readKeychain({ keychain }: Ports, folder: string): Promise<Buffer | undefined> {
  let text: string | undefined;
  try {
    text = await keychain.read(entryName(folder));
  } catch (cause) {
    throw new HostError("STATE_UNREADABLE", `The system's keychain cannot be read: ${messageOf(cause)}`, {
      hint: `Unlock it: the key of your stored sign-ins is in it. Where that cannot be done, delete ${folder}, set PLUGBOARD_KEYCHAIN=off and sign in again.`,
      cause,
    });
  }
  const key = Buffer.from(text ?? "", "base64");
  return key.length === KEY_BYTES ? key : undefined;
}

/** Written and read back: some keychains say yes and forget. */
async function keptByKeychain({ keychain, log }: Ports, folder: string, key: Buffer): Promise<boolean> {
  const text = key.toString("base64");
  try {
    await keychain.write(entryName(folder), text);
    return (await keychain.read(entryName(folder))) === text;
  } catch (error) {
    log.log("info", "vault.keychain.absent", { error: messageOf(error) });
    return false;
  }
}

const entryName = (folder: string): string => `vault ${folder}`;

/** `PLUGBOARD_KEYCHAIN=off` keeps the key in a file. On Linux there is no keychain without a session bus. */
function mayUseKeychain({ platform, variables }: Environment): boolean {
  if (variables["PLUGBOARD_KEYCHAIN"] === "off") return false;
  return platform !== "linux" || Boolean(variables["DBUS_SESSION_BUS_ADDRESS"]);
}
