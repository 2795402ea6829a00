import type { CommandOutput, ValueCommands } from "./value-commands.ts";

/** A value that is stored outside the config file. */
export interface ValueSource {
  readonly kind: "command" | "keychain" | "file";
  /** The command, the name of the stored secret, or the path. */
  readonly name: string;
}

/** Resolves values that a launch only refers to. */
export interface ValueSources {
  readonly commands: ValueCommands;
  /** Returns a secret from the vault. */
  secret(name: string): Promise<string | undefined>;
}

/** The maximum size of a file that contains a value. */
export const MAX_VALUE_FILE_BYTES: number = 1024 * 1024;

/** Parses `!command`, `keychain:name` and `file:path`. A `file://` URL is plain text. */
export function sourceOf(value: string): ValueSource | undefined {
  if (value.startsWith("!")) return { kind: "command", name: value.slice(1).trim() };
  const [, kind, name = ""] = /^(keychain|file):(?!\/\/)([\s\S]+)$/.exec(value) ?? [];
  return kind === "keychain" || kind === "file" ? { kind, name: name.trim() } : undefined;
}

/** Returns the value of the variable with this name, or `undefined` if it is unset or empty. */
export function variableValue(
  value: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isName = /^[A-Za-z_]\w*$/.test(value) && Object.hasOwn(variables, value);
  return isName ? variables[value] || undefined : undefined;
}

/** Reads a value from its source. A failure message follows the field's name. */
export async function readSource(
  { kind, name }: ValueSource,
  { commands, secret }: ValueSources,
  folder: string,
  readFile: (path: string) => Promise<CommandOutput>,
): Promise<CommandOutput> {
  if (kind === "command") {
    const output = await commands.value(name, folder);
    return "failed" in output ? { failed: `is the output of a command that ${output.failed}` } : output;
  }
  if (kind === "file") {
    const read = await readFile(name);
    return "text" in read && read.text === "" ? { failed: fileMissing(name) } : read;
  }
  const text = await secret(name);
  return text === undefined || text === "" ? { failed: secretMissing(name) } : { text };
}

export const secretMissing = (name: string): string => `needs the secret "${name}", which is not stored`;
export const fileMissing = (path: string): string => `needs the file ${path}, which cannot be read`;

/** Messages for values of a project's server that runs without an approval. */
export const UNAPPROVED: Readonly<Record<ValueSource["kind"], string>> = {
  command: "is the output of a command that runs only after you approve the server",
  keychain: "is a stored secret that is used only after you approve the server",
  file: "is read from a file only after you approve the server",
};
