import { parseArgs } from "node:util";
import { nearest } from "../../terminal.ts";
import type { Command, CommandSet, Flag, FlagValue } from "./command.ts";
import { usageError } from "./usage-error.ts";

export const GLOBAL_FLAGS: Readonly<Record<string, Flag>> = {
  json: { type: "boolean", summary: "print one JSON document and nothing else" },
  select: {
    type: "string",
    value: "<path>",
    summary: "print only these values of the JSON document: .servers[].name",
  },
  quiet: { type: "boolean", short: "q", summary: "print results and errors only" },
  "trust-project": { type: "boolean", summary: "trust this project's servers for this run" },
  directory: { type: "string", short: "C", value: "<folder>", summary: "run as if started in this folder" },
  "no-color": { type: "boolean", summary: "disable colors (same as NO_COLOR=1)" },
  verbose: { type: "boolean", summary: "log events to standard error" },
  help: { type: "boolean", short: "h", summary: "show help for a command" },
  version: { type: "boolean", short: "v", summary: "show Plugboard's version" },
};

export interface ParsedWords {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, FlagValue>>;
}

/** Returns the arguments that are neither options nor option values, with their indexes. */
export function findWords(
  args: readonly string[],
  commands: readonly Pick<Command, "flags">[],
): { readonly word: string; readonly index: number }[] {
  const takesValue = new Set(
    [GLOBAL_FLAGS, ...commands.map(({ flags }) => flags)].flatMap((flags) =>
      Object.entries(flags).flatMap(([name, { type, short }]) =>
        type === "boolean" ? [] : [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
      ),
    ),
  );
  return args.flatMap((word, index) => {
    const isValue = takesValue.has(args[index - 1] ?? "");
    return word.startsWith("-") || isValue ? [] : [{ word, index }];
  });
}

/** Splits a command's arguments into words and flags. Throws on an unknown flag and suggests the most similar one. */
export function parseWords(
  command: Pick<Command, "name" | "flags">,
  args: readonly string[],
  { program, flags: everywhere }: Pick<CommandSet, "program" | "flags">,
): ParsedWords {
  const known = { ...everywhere, ...command.flags };
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(known).map(([name, { type, short }]) => [
        name,
        {
          type: type === "boolean" ? ("boolean" as const) : ("string" as const),
          ...(short !== undefined && { short }),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const flags: Record<string, FlagValue> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const value = readFlag(token, known, [program, command.name]);
    const before = flags[token.name];
    const isList = known[token.name]?.type === "list" && typeof value === "string";
    flags[token.name] = isList ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return { words, flags };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether the value was written as `--name=value`. */
  readonly inlineValue?: boolean | undefined;
}

function readFlag(
  { name, rawName, value, inlineValue }: OptionToken,
  known: Readonly<Record<string, Flag>>,
  command: readonly string[],
): string | boolean {
  const flag = Object.hasOwn(known, name) ? known[name] : undefined;
  if (flag === undefined) {
    const close = name === "jq" ? "select" : nearest(name, Object.keys(known)); // gh calls it --jq
    const help = [...command, "--help"].filter(Boolean).join(" ");
    const hint = close === undefined ? `See ${help}.` : `Did you mean --${close}?`;
    throw usageError(`Unknown option: ${rawName}`, hint);
  }
  if (flag.type === "boolean") {
    if (value !== undefined) throw usageError(`${rawName} takes no value.`);
    return true;
  }
  // A value that starts with `--` after a space is probably the next option. `--args=--port` is unambiguous.
  if (value === undefined || value === "" || (value.startsWith("--") && inlineValue !== true)) {
    const isListValue = flag.type === "list" && value !== undefined && value !== "";
    const form = isListValue ? `${rawName}=${value}` : `${rawName} ${flag.value ?? "<value>"}`;
    throw usageError(`Missing value for ${rawName}.`, `Write ${form}.`);
  }
  return value;
}
