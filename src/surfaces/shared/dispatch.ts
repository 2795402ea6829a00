import { type HostError, VERSION } from "../../index.ts";
import { nearest } from "../../terminal.ts";
import type { Command, CommandContext, CommandSet, ExitCode, InteractiveMode } from "./command.ts";
import { findWords, parseWords } from "./parse-words.ts";
import { renderError, toErrorDocument } from "./render/error.ts";
import { renderCommandHelp } from "./render/help.ts";
import { renderJson, renderJsonLine } from "./render/json.ts";
import { subcommandsOf } from "./subcommands.ts";
import type { Terminal } from "./terminal.ts";
import { TYPED_SERVER_FLAGS } from "./typed-server-flags.ts";
import { usageError } from "./usage-error.ts";

/** The context in which a command is parsed and run. */
export interface Dispatch {
  readonly vocabulary: CommandSet;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly json: boolean;
  readonly color: boolean;
  readonly interactive?: InteractiveMode;
  readonly hostAsks?: boolean;
  readonly askFields?: CommandContext["askFields"];
  expectInterrupt(): void;
  hostOpener(flags: CommandContext["flags"]): CommandContext["openHost"];
  standalone?(flags: CommandContext["flags"]): CommandContext["standalone"];
}

/** Finds the named command, checks its arguments and runs it. */
export async function dispatch(
  name: string | undefined,
  args: readonly string[],
  context: Dispatch,
): Promise<ExitCode> {
  const { vocabulary, terminal, signal, json, color, expectInterrupt } = context;
  const { commands, program, bare } = vocabulary;
  const style = terminal.style(color);
  let [render, jsonLine] = [renderJson, renderJsonLine];
  const printJson = (value: unknown): void => terminal.out(render(value));
  const print = (key: "help" | "version", text: string): ExitCode => {
    if (json) printJson({ [key]: text });
    else terminal.out(`${text}\n`);
    return 0;
  };
  const columns = Math.max(NARROWEST, terminal.columns);
  const help = async (command: Command | undefined): Promise<ExitCode> =>
    print(
      "help",
      command === undefined
        ? await vocabulary.renderHelp(style, columns)
        : renderCommandHelp(command, style, vocabulary, columns),
    );
  if (name === "help") {
    const page = findWords(args, [...commands, bare])[1]?.word;
    if (page === undefined) return help(undefined);
    const { nearestPage, renderTopic } = await import("./help/help-pages.lazy.ts");
    const topic = isCommand(page, vocabulary) ? undefined : renderTopic(page, style, columns);
    if (topic !== undefined) return print("help", topic);
    if (!isCommand(page, vocabulary)) throw unknownPage(page, program, nearestPage(page, vocabulary));
    return help(find(page, vocabulary));
  }
  const command = name === undefined ? bare : find(name, vocabulary);
  const cut = command.takesRest === true ? args.indexOf("--") : -1;
  const { words, flags } = parseWords(command, cut === -1 ? args : args.slice(0, cut), vocabulary);
  if (flags["version"] === true) return print("version", VERSION);
  if (flags["help"] === true) return help(name === undefined ? undefined : command);
  if (typeof flags["select"] === "string") {
    const { createSelection } = await import("./output/select-path.lazy.ts");
    const isTerminal = terminal.outIsTty;
    const onMissing = (sentence: string): void => terminal.err(`! ${sentence}\n`);
    render = createSelection(flags["select"], { isTerminal, onMissing });
    jsonLine = createSelection(flags["select"], { isTerminal, onMissing: () => {} }); // events have different members
  }
  const given = words.slice(name === undefined ? 0 : 1);
  const isTyped = typesServer(command, flags, cut !== -1 && cut < args.length - 1);
  checkWords(isTyped ? ["", ...given] : given, command, program);
  const run = async (ready: CommandContext): Promise<ExitCode> => {
    if (!isTyped) return command.run(ready);
    const { runWithTypedServer } = await import("./typed-server.lazy.ts");
    return runWithTypedServer((typed) => command.run(typed), ready);
  };
  return run({
    words: given,
    rest: cut === -1 ? [] : args.slice(cut + 1),
    flags,
    json,
    program,
    vocabulary,
    terminal,
    style,
    signal,
    expectInterrupt,
    openHost: context.hostOpener(flags),
    standalone: context.standalone?.(flags),
    interactive: context.interactive,
    hostAsks: context.hostAsks === true,
    askFields: context.askFields,
    printJson,
    jsonLine,
  });
}

/** Prints an error as text, or as JSON with `--json`. */
export function printError(
  error: unknown,
  verb: string,
  { vocabulary: { program }, terminal, json, color }: Omit<Dispatch, "hostOpener" | "expectInterrupt">,
): void {
  const running = { verb, program };
  if (json) terminal.out(renderJson(toErrorDocument(error, running)));
  else terminal.err(renderError(error, terminal.errStyle(color), running));
}

function checkWords(
  words: readonly string[],
  { name, parameters, words: { least, most } }: Command,
  program: string,
): void {
  const usage = `Usage: ${[program, name, parameters].filter(Boolean).join(" ")}`;
  if (words.length < least) {
    const actions = subcommandsOf(parameters);
    const [action] = words;
    if (actions.length > 0 && (action === undefined || !actions.includes(action)))
      throw usageError(`Missing action: ${eitherOf(actions)}.`, usage);
    const named = parameters.match(/<[^>]+>/g) ?? [];
    const missing = named[actions.length > 0 ? 0 : words.length] ?? "an argument";
    throw usageError(`Missing ${missing}.`, usage);
  }
  if (words.length > most) throw usageError(`Unexpected argument: ${words.slice(most).join(" ")}`, usage);
}

/** Joins alternatives: `a, b or c`. */
function eitherOf(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1) ?? ""}`;
}

/** Returns whether the server is typed instead of named. Throws if a flag describes a server that is not typed. */
function typesServer(
  { takesTypedServer }: Command,
  flags: CommandContext["flags"],
  hasRest: boolean,
): boolean {
  if (takesTypedServer !== true) return false;
  if (flags["url"] !== undefined || hasRest) return true;
  const without = Object.keys(TYPED_SERVER_FLAGS).find((flag) => flags[flag] !== undefined);
  if (without !== undefined)
    throw usageError(
      `--${without} requires --url <url> or -- <command…>.`,
      "Configured servers have an entry.",
    );
  return false;
}

function unknownPage(name: string, program: string, close: string | undefined): HostError {
  const hint = close === undefined ? `See ${program} help.` : `Did you mean "${program} help ${close}"?`;
  return usageError(`Unknown command or topic: ${name}`, hint);
}

/** Text is not wrapped to less. */
const NARROWEST = 40;

function isCommand(name: string, { commands }: CommandSet): boolean {
  return commands.some((command) => command.name === name || command.aliases?.includes(name));
}

/** Words that other programs use, by the command that does the same here. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ["install", "add"],
  ["approve", "trust"],
  ["find", "search"],
  ["signin", "login"],
  ["config", "list"],
  ["run", "call"],
]);

export function find(name: string, { commands, unknown }: CommandSet): Command {
  const command = commands.find((candidate) => candidate.name === name || candidate.aliases?.includes(name));
  if (command !== undefined) return command;
  const names = commands.map((candidate) => candidate.name);
  const meant = OTHER_WORDS.get(name);
  throw unknown(name, meant !== undefined && names.includes(meant) ? meant : nearest(name, names));
}
