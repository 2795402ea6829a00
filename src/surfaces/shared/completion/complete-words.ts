import { KNOWN_SERVERS } from "../add/known-servers.ts";
import type { Command, CommandSet, Flag } from "../command.ts";
import { HELP_TOPICS } from "../help/help-topics.ts";
import { isOption } from "../shell-word.ts";
import { SHELLS } from "../shells.ts";
import { alternatives, subcommandsOf } from "../subcommands.ts";
import { ENTRY_FIELDS } from "./entry-fields.ts";
import { EXPORT_TOOLS } from "./export-tools.ts";

/** The names to suggest. They come from the config and caches; no server is contacted. */
export interface CompletionSources {
  servers(): readonly { readonly name: string; readonly note: string; readonly tool: string }[];
  /** Cached tool names of a server. */
  tools(server: string): Promise<readonly string[]>;
  /** The arguments of a cached tool: `key=`, or `key=value` for each possible value. */
  toolArguments(server: string, tool: string): Promise<Items>;
  /** Cached resource URIs of a server. */
  resources(server: string): Promise<readonly string[]>;
  /** Cached prompts of a server, with the names of their arguments. */
  prompts(server: string): Promise<readonly { readonly name: string; readonly keys: readonly string[] }[]>;
  /** The fields of a server's entry, with the members of its maps: `timeout`, `env.TOKEN`. */
  fields(server: string): Promise<readonly string[]>;
  /** Names of the profiles. */
  profiles(): readonly string[];
  /** Names of the stored secrets. */
  secrets(): Promise<readonly string[]>;
}

export type Items = readonly { readonly text: string; readonly note?: string }[];

/**
 * Returns suggestions for the word at the cursor: a command, a server, a flag or its value. The words are not quoted.
 */
export async function completeWords(
  [program, ...line]: readonly string[],
  start: string,
  vocabulary: CommandSet,
  known: CompletionSources,
): Promise<Items> {
  if (program !== vocabulary.program) return [];
  const everywhere = { ...vocabulary.flags, ...vocabulary.bare.flags };
  const options = leadingOptions(line, everywhere);
  if (options.length > line.length) return valuesOf(flagOf(line.at(-1) ?? "", everywhere));
  const rest = line.slice(options.length);
  const [verb, ...given] = program === "plugboard" && rest[0] === "mcp" ? rest.slice(1) : rest;
  if (verb === undefined)
    return isOption(start) ? flagItems(everywhere, options, vocabulary.bare) : verbs(vocabulary);
  if (verb === "help") return given.length === 0 ? [...verbs(vocabulary), ...topics(vocabulary)] : [];
  const command = vocabulary.commands.find(
    ({ name, aliases = [] }) => name === verb || aliases.includes(verb),
  );
  if (command === undefined || given.includes("--")) return [];
  const flags = { ...vocabulary.flags, ...command.flags };
  const last = given.at(-1) ?? "";
  if (takesValue(last, flags)) return last === "--to" ? destinations(start) : valuesOf(flagOf(last, flags));
  if (isOption(start)) return flagItems(flags, given, command);
  const items = await parameterItems(command, wordsOf(given, flags), known);
  // A repository or a server may call something `--trust-project`.
  return items.filter(({ text }) => !isOption(text));
}

function verbs({ commands }: CommandSet): Items {
  const all = commands.map(({ name, summary }) => ({ text: name, note: summary }));
  return [...all, { text: "help", note: "Show all commands, or help for one command." }];
}

function topics({ program }: CommandSet): Items {
  const all = program === "plugboard" ? Object.entries(HELP_TOPICS) : [];
  return all.map(([text, { summary }]) => ({ text, note: summary }));
}

type Flags = Readonly<Record<string, Flag>>;

/** Returns the options before the command, with their values. It is longer than the line if the last value is missing. */
function leadingOptions(line: readonly string[], flags: Flags): readonly string[] {
  let end = 0;
  while (end < line.length && isOption(line[end] ?? "")) end += takesValue(line[end] ?? "", flags) ? 2 : 1;
  return end > line.length ? [...line, ""] : line.slice(0, end);
}

function flagOf(word: string, flags: Flags): Flag | undefined {
  if (word.startsWith("--")) return Object.hasOwn(flags, word.slice(2)) ? flags[word.slice(2)] : undefined;
  return Object.values(flags).find(({ short }) => short !== undefined && word === `-${short}`);
}

/** Returns whether the next word is the value of this one. */
function takesValue(word: string, flags: Flags): boolean {
  const flag = flagOf(word, flags);
  return flag !== undefined && flag.type !== "boolean";
}

/** Returns the choices of a flag such as `project|user`. A value in brackets is free text and has none. */
function valuesOf({ value = "" }: Pick<Flag, "value"> = {}): Items {
  const choices = value.split("|");
  return choices.every((choice) => /^[a-z]+$/.test(choice)) && choices.length > 1
    ? choices.map((text) => ({ text }))
    : [];
}

function flagItems(flags: Flags, given: readonly string[], command: Command): Items {
  const items = Object.entries(flags)
    .filter(([name, { type }]) => type === "list" || !given.includes(`--${name}`))
    .map(([name, { summary }]) => ({ text: `--${name}`, note: summary }));
  return command.takesRest === true
    ? [...items, { text: "--", note: "the command that starts the server" }]
    : items;
}

/** Returns the words that are neither flags nor flag values. */
function wordsOf(given: readonly string[], flags: Flags): string[] {
  return given.filter((word, index) => !isOption(word) && !takesValue(given[index - 1] ?? "", flags));
}

type Parameters = (words: readonly string[], known: CompletionSources) => Items | Promise<Items>;

/** Commands whose parameters are not just servers. */
const PARAMETERS: Readonly<Record<string, Parameters>> = {
  import: ([tool], known) => {
    const others = known.servers().filter((server) => !OWN.has(server.tool));
    if (tool !== undefined) return named(others.filter((server) => server.tool === tool));
    return plain([...new Set(others.map((server) => server.tool))].sort());
  },
  export: ([tool], known) => (tool === undefined ? plain(EXPORT_TOOLS) : named(known.servers())),
  add: ([name]) =>
    name === undefined
      ? Object.entries(KNOWN_SERVERS).map(([text, { summary }]) => ({ text, note: summary }))
      : [],
  completion: ([shell]) => (shell === undefined ? plain(SHELLS) : []),
  tools: async (words, known) => (words.length < 2 ? serversThenTools(words, known) : []),
  call: async (words, known) => {
    const [server, tool, ...given] = words;
    if (server === undefined || tool === undefined) return serversThenTools(words, known);
    return withoutGiven(await known.toolArguments(server, tool), given);
  },
  read: async (words, known) => {
    const [server] = words;
    if (server === undefined) return named(known.servers());
    return words.length === 1 ? plain(await known.resources(server)) : [];
  },
  prompt: async ([server, prompt, ...given], known) => {
    if (server === undefined) return named(known.servers());
    const prompts = await known.prompts(server);
    if (prompt === undefined) return plain(prompts.map(({ name }) => name));
    const keys = prompts.find(({ name }) => name === prompt)?.keys ?? [];
    return withoutGiven(plain(keys.map((key) => `${key}=`)), given);
  },
  set: async ([server, ...given], known) => {
    if (server === undefined) return named(ownServers(known));
    const present = (await known.fields(server)).filter((field) => field.includes("."));
    const fields = [...ENTRY_FIELDS.filter((field) => !MAPS.has(field)), ...present];
    return withoutGiven(plain(fields.map((field) => `${field}=`)), given);
  },
  unset: async ([server, ...given], known) =>
    server === undefined
      ? named(ownServers(known))
      : plain((await known.fields(server)).filter((field) => !given.includes(field))),
  use: async ([profile], known) => (profile === undefined ? plain(known.profiles()) : named(known.servers())),
  sandbox: async ([action, ...words], known) => {
    if (action === undefined) return plain(["test", "learn"]);
    if (words.length === 0) return named(known.servers());
    return action === "learn" && words.length === 1 ? serversThenTools(words, known) : [];
  },
  advisories: ([action]) => (action === undefined ? plain(["update"]) : []),
  test: (words, known) => (words.length === 0 ? withDemo(known) : []),
  secret: async (words, known) => {
    const [action] = words;
    if (action === undefined) return plain(["set", "get", "list", "rm"]);
    return words.length === 1 && action !== "list" ? plain(await known.secrets()) : [];
  },
};

const OWN: ReadonlySet<string> = new Set(["plugboard", "environment", "program"]);
/** Fields whose members are set one by one: `env.NAME=value`. */
const MAPS: ReadonlySet<string> = new Set(["env", "headers"]);

function ownServers(known: CompletionSources): ReturnType<CompletionSources["servers"]> {
  return known.servers().filter(({ tool }) => tool === "plugboard");
}

async function parameterItems(
  { name, parameters }: Command,
  words: readonly string[],
  known: CompletionSources,
): Promise<Items> {
  const own = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  if (own !== undefined) return own(words, known);
  if (name === "pins")
    return [...(words.length === 0 ? plain(alternatives(parameters)) : []), ...named(known.servers())];
  if (name === "auth" || name === "generate")
    return words.length === 0 ? plain(alternatives(parameters)) : named(known.servers());
  const actions = words.length === 0 ? subcommandsOf(parameters) : [];
  if (actions.length > 0) return plain(actions);
  const places = parameters.match(/[<[]server(?: …)?[\]>]/g) ?? [];
  const place = parameters.includes("server …") ? "<server>" : places[words.length];
  return place === undefined ? [] : named(known.servers());
}

function plain(texts: readonly string[]): Items {
  return texts.map((text) => ({ text }));
}

function named(servers: ReturnType<CompletionSources["servers"]>): Items {
  return servers.map(({ name, note }) => ({ text: name, note }));
}

/** The servers, with the built-in one. */
function withDemo(known: CompletionSources): Items {
  const servers = named(known.servers());
  const hasOwn = servers.some(({ text }) => text === "demo");
  return hasOwn ? servers : [...servers, { text: "demo", note: "built in" }];
}

async function serversThenTools([server]: readonly string[], known: CompletionSources): Promise<Items> {
  return server === undefined ? withDemo(known) : plain(await known.tools(server));
}

/** Omits arguments that are already present. */
function withoutGiven(items: Items, given: readonly string[]): Items {
  const keys = new Set(given.map((word) => word.split(/:?=/)[0]));
  return items.filter(({ text }) => !keys.has(text.split("=")[0]));
}

/** Completes the last tool of a comma-separated list. */
function destinations(start: string): Items {
  const before = start.slice(0, start.lastIndexOf(",") + 1);
  const given = before.split(",");
  return plain(EXPORT_TOOLS.filter((tool) => !given.includes(tool)).map((tool) => `${before}${tool}`));
}
