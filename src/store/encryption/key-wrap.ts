import { HostError, messageOf } from "../../model/index.ts";
import type { Environment, Ports } from "../../platform/index.ts";
import { decrypt, encrypt } from "./cipher.ts";
import { runKeyCommand } from "./key-command.ts";

/** The source of the key that protects the key ring. The key is never in the database. */
export type KeySource = {
  /** A name of your choice. It is stored with every value that the key protects. Give a new key a new name. */
  readonly id: string;
} & (
  | {
      /** A file with 32 random bytes, or with their Base64 text. Other users must not be able to read it. */
      readonly file: string;
    }
  | {
      /** The environment variable with the Base64 text of 32 random bytes. */
      readonly variable: string;
    }
  | {
      /** A program and its arguments, for a key that never leaves a key management service. */
      readonly command: readonly [string, ...string[]];
    }
);

/** Encrypts and decrypts the keys of the ring. `context` is the id of the key in the ring. */
export interface KeyWrap {
  readonly id: string;
  wrap(key: Uint8Array, context: string): Promise<Uint8Array>;
  /** Throws if the key was encrypted by another one, or with another context. */
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array>;
}

const KEY_BYTES = 32;
const HINT = "Create a key with: openssl rand -base64 32";
/** Permission bits for other users, and for writing by the group. */
const OPEN_TO_OTHERS = 0o027;

export type KeyWrapPorts = Pick<Ports, "files" | "processes" | "clock">;

/** Opens a key. Throws if it cannot be read or has the wrong size. */
export async function openKeyWrap(
  source: KeySource,
  ports: KeyWrapPorts,
  environment: Environment,
): Promise<KeyWrap> {
  const { id } = source;
  if (!/^[\w.:-]{1,64}$/.test(id))
    throw new HostError(
      "USAGE_INVALID",
      "The id of a key must have 1 to 64 letters, digits, dots, colons, - and _.",
    );
  if ("command" in source) return commandWrap(source, ports, environment);
  const key =
    "file" in source ? await readFile(source, ports, environment) : readVariable(source, environment);
  const contextOf = (context: string): readonly string[] => ["ring key", id, context];
  return {
    id,
    wrap: async (plain, context) => encrypt(key, contextOf(context), plain),
    unwrap: async (wrapped, context) => decrypt(key, contextOf(context), wrapped),
  };
}

async function readFile(
  { id, file }: Extract<KeySource, { file: string }>,
  { files }: KeyWrapPorts,
  { platform }: Environment,
): Promise<Uint8Array> {
  const bytes = await files.read(file, 4_096).catch((cause: unknown) => {
    throw keyError(id, `${file} cannot be read: ${messageOf(cause)}`, cause);
  });
  if (bytes === undefined) throw keyError(id, `${file} does not exist`);
  const mode = await files.mode(file);
  if (platform !== "win32" && mode !== undefined && (mode & OPEN_TO_OTHERS) !== 0)
    throw keyError(id, `other users can read or change ${file}. Run: chmod 600 ${file}`);
  return bytes.length === KEY_BYTES ? bytes : parseKey(id, file, new TextDecoder().decode(bytes));
}

function readVariable(
  { id, variable: name }: Extract<KeySource, { variable: string }>,
  { variables }: Environment,
): Uint8Array {
  const text = variables[name];
  if (text === undefined || text === "") throw keyError(id, `the environment variable ${name} is not set`);
  return parseKey(id, name, text);
}

function parseKey(id: string, where: string, text: string): Uint8Array {
  const bytes = /^[A-Za-z0-9+/]{43}=?$/.test(text.trim()) ? Buffer.from(text.trim(), "base64") : undefined;
  if (bytes?.length !== KEY_BYTES)
    throw keyError(id, `${where} does not contain 32 bytes as Base64. ${HINT}`);
  return bytes;
}

function commandWrap(
  { id, command }: Extract<KeySource, { command: readonly string[] }>,
  ports: KeyWrapPorts,
  environment: Environment,
): KeyWrap {
  const run = async (
    operation: "wrap" | "unwrap",
    bytes: Uint8Array,
    context: string,
  ): Promise<Uint8Array> => {
    const request = { operation, id, context, data: Buffer.from(bytes).toString("base64") };
    return runKeyCommand(command, request, ports, environment).catch((cause: unknown) => {
      throw keyError(id, `the command "${command[0]}" ${messageOf(cause)}`, cause);
    });
  };
  return {
    id,
    wrap: (key, context) => run("wrap", key, context),
    unwrap: (wrapped, context) => run("unwrap", wrapped, context),
  };
}

function keyError(id: string, reason: string, cause?: unknown): HostError {
  return new HostError("STORE_UNUSABLE", `The key "${id}" cannot be used: ${reason}.`, { cause });
}
