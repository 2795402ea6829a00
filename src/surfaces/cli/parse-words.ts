import { parseArgs } from "node:util";
import { nearest } from "../../index.ts";
import type { Command, Flag } from "./command.ts";
import { usageError } from "./usage-error.ts";

export const GLOBAL_FLAGS: Readonly<Record<string, Flag>> = {
  json: { type: "boolean", summary: "print one JSON document and nothing else" },
  "trust-project": { type: "boolean", summary: "take the project's word for this run, without asking" },
  cwd: { type: "string", value: "<folder>", summary: "work as if started in this folder" },
  "no-color": { type: "boolean", summary: "plain text (NO_COLOR=1 does the same)" },
  verbose: { type: "boolean", summary: "say on standard error what happens" },
  help: { type: "boolean", short: "h", summary: "show help for a command" },
};

export interface ParsedWords {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** Sorts a command's arguments into words and flags; complains with the nearest spelling. */
export function parseWords(command: Pick<Command, "name" | "flags">, args: readonly string[]): ParsedWords {
  const known = { ...GLOBAL_FLAGS, ...command.flags };
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(known).map(([name, { type, short }]) => [
        name,
        { type, ...(short !== undefined && { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const flags: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option") flags[token.name] = readFlag(token, known, command.name);
  }
  return { words, flags };
}

function readFlag(
  { name, rawName, value }: { name: string; rawName: string; value?: string | undefined },
  known: Readonly<Record<string, Flag>>,
  command: string,
): string | boolean {
  const flag = Object.hasOwn(known, name) ? known[name] : undefined;
  if (flag === undefined) {
    const close = nearest(name, Object.keys(known));
    const hint = close === undefined ? `See plugboard ${command} --help.` : `Did you mean --${close}?`;
    throw usageError(`Unknown option: ${rawName}`, hint);
  }
  if (flag.type === "boolean") {
    if (value !== undefined) throw usageError(`${rawName} takes no value.`);
    return true;
  }
  if (value === undefined || value === "") throw usageError(`Missing value for ${rawName}.`);
  return value;
}
