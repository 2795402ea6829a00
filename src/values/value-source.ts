import type { CommandOutput, ValueCommands } from "./value-commands.ts";

/** A value that is not in the file: it says where it is. */
export interface ValueSource {
  readonly kind: "command" | "keychain" | "file";
  /** The command, the name of a stored secret, or the path. */
  readonly name: string;
}

/** Where values come from that a launch only names. */
export interface ValueSources {
  readonly commands: ValueCommands;
  /** A secret that the person stored. */
  secret(name: string): Promise<string | undefined>;
}

/** No envFile and no secret in a file is larger. */
export const LARGEST_VALUE_FILE: number = 1024 * 1024;

/** `!command`, `keychain:name` and `file:path`; a `file://` address is just text. */
export function sourceOf(value: string): ValueSource | undefined {
  if (value.startsWith("!")) return { kind: "command", name: value.slice(1).trim() };
  const [, kind, name = ""] = /^(keychain|file):(?!\/\/)([\s\S]+)$/.exec(value) ?? [];
  return kind === "keychain" || kind === "file" ? { kind, name: name.trim() } : undefined;
}

/** What the variable of that name holds; an empty one counts as none. */
export function variableNamed(
  value: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isName = /^[A-Za-z_]\w*$/.test(value) && Object.hasOwn(variables, value);
  return isName ? variables[value] || undefined : undefined;
}

/** Asks the source. What it answers with in place of a value follows the name of the field. */
export async function askSource(
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

/** Said of a value of a project's server that runs without an approval of its own. */
export const UNAPPROVED: Readonly<Record<ValueSource["kind"], string>> = {
  command: "is the output of a command that runs only after you approve the server",
  keychain: "is a stored secret that is used only after you approve the server",
  file: "is read from a file only after you approve the server",
};
