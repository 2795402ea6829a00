import type { Command, CommandSet, Flag } from "../command.ts";

/** The names to suggest. They come from the config and caches; no server is contacted. */
export interface CompletionSources {
  servers(): readonly { readonly name: string; readonly note: string }[];
  /** Cached tool names of a server. */
  tools(server: string): Promise<readonly string[]>;
  /** Names of the stored secrets. */
  secrets(): Promise<readonly string[]>;
}

type Items = readonly { readonly text: string; readonly note?: string }[];

/**
 * Returns suggestions for the word at the cursor: a command, a server, a flag or its value. The words are not quoted.
 */
export async function completeWords(
  [program, verb, ...given]: readonly string[],
  start: string,
  vocabulary: CommandSet,
  known: CompletionSources,
): Promise<Items> {
  if (program !== vocabulary.program) return [];
  if (verb === undefined) return verbs(vocabulary);
  if (verb === "help") return given.length === 0 ? verbs(vocabulary) : [];
  const command = vocabulary.commands.find(
    ({ name, aliases = [] }) => name === verb || aliases.includes(verb),
  );
  if (command === undefined || given.includes("--")) return [];
  const flags = { ...vocabulary.flags, ...command.flags };
  const last = given.at(-1) ?? "";
  const wanted = last.startsWith("--") ? flags[last.slice(2)] : undefined;
  if (wanted !== undefined && wanted.type !== "boolean") return valuesOf(wanted);
  if (start.startsWith("-")) return flagItems(flags, given, command);
  return parameterItems(command, wordsOf(given, flags), known);
}

function verbs({ commands }: CommandSet): Items {
  const all = commands.map(({ name, summary }) => ({ text: name, note: summary }));
  return [...all, { text: "help", note: "Show all commands, or help for one command." }];
}

/** Returns the choices of a flag such as `project|user`. A value in brackets is free text and has none. */
function valuesOf({ value = "" }: Flag): Items {
  const choices = value.split("|");
  return choices.every((choice) => /^[a-z]+$/.test(choice)) && choices.length > 1
    ? choices.map((text) => ({ text }))
    : [];
}

function flagItems(flags: Readonly<Record<string, Flag>>, given: readonly string[], command: Command): Items {
  const items = Object.entries(flags)
    .filter(([name, { type }]) => type === "list" || !given.includes(`--${name}`))
    .map(([name, { summary }]) => ({ text: `--${name}`, note: summary }));
  return command.takesRest === true
    ? [...items, { text: "--", note: "the command that starts the server" }]
    : items;
}

/** Returns the words that are neither flags nor flag values. */
function wordsOf(given: readonly string[], flags: Readonly<Record<string, Flag>>): string[] {
  const takesValue = (word: string): boolean =>
    word.startsWith("--") && flags[word.slice(2)] !== undefined && flags[word.slice(2)]?.type !== "boolean";
  return given.filter((word, index) => !word.startsWith("-") && !takesValue(given[index - 1] ?? ""));
}

async function parameterItems(
  { name, parameters }: Command,
  words: readonly string[],
  known: CompletionSources,
): Promise<Items> {
  const servers = (): Items => known.servers().map((server) => ({ text: server.name, note: server.note }));
  const [first] = words;
  if (name === "pins") return [...(words.length === 0 ? alternatives(parameters) : []), ...servers()];
  if (name === "auth") return words.length === 0 ? alternatives(parameters) : servers();
  if (name === "secret") {
    if (first === undefined) return alternatives(parameters);
    return words.length === 1 && first !== "list" ? (await known.secrets()).map((text) => ({ text })) : [];
  }
  const places = parameters.match(/[<[](?:server|tool)(?: …)?[\]>]/g) ?? [];
  const place = parameters.includes("server …") ? "<server>" : places[words.length];
  if (place?.includes("server") === true) return servers();
  if (place?.includes("tool") === true && first !== undefined && name === "call")
    return (await known.tools(first)).map((text) => ({ text }));
  return [];
}

/** Returns the subcommands in a parameter description: `set`, `list` for `set <name> | list`. */
function alternatives(parameters: string): Items {
  const inBrackets = /^\[([a-z|]+)\]/.exec(parameters)?.[1];
  const parts = inBrackets === undefined ? parameters.split("|") : inBrackets.split("|");
  return parts.map((part) => ({ text: part.trim().split(" ")[0] ?? "" }));
}
