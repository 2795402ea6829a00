import { VERSION } from "../../index.ts";
import { nearest } from "../../terminal.ts";
import type { Command, CommandContext, CommandSet, ExitCode, InteractiveMode } from "./command.ts";
import { findWords, parseWords } from "./parse-words.ts";
import { renderError, toErrorDocument } from "./render/error.ts";
import { renderCommandHelp } from "./render/help.ts";
import { renderJson } from "./render/json.ts";
import type { Terminal } from "./terminal.ts";
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
  expectInterrupt(): void;
  hostOpener(flags: CommandContext["flags"]): CommandContext["openHost"];
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
  const printJson = (value: unknown): void => terminal.out(renderJson(value));
  const print = (key: "help" | "version", text: string): ExitCode => {
    if (json) printJson({ [key]: text });
    else terminal.out(`${text}\n`);
    return 0;
  };
  const help = (command: Command | undefined): ExitCode =>
    print(
      "help",
      command === undefined ? vocabulary.renderHelp(style) : renderCommandHelp(command, style, vocabulary),
    );
  if (name === "help") {
    const topic = findWords(args, [...commands, bare])[1]?.word;
    return help(topic === undefined ? undefined : find(topic, vocabulary));
  }
  const command = name === undefined ? bare : find(name, vocabulary);
  const cut = command.takesRest === true ? args.indexOf("--") : -1;
  const { words, flags } = parseWords(command, cut === -1 ? args : args.slice(0, cut), vocabulary);
  if (flags["version"] === true) return print("version", VERSION);
  if (flags["help"] === true) return help(name === undefined ? undefined : command);
  const given = words.slice(name === undefined ? 0 : 1);
  checkWords(given, command, program);
  return command.run({
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
    interactive: context.interactive,
    hostAsks: context.hostAsks === true,
    printJson,
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
    const missing = parameters.match(/<[^>]+>/g)?.[words.length] ?? "an argument";
    throw usageError(`Missing ${missing}.`, usage);
  }
  if (words.length > most) throw usageError(`Unexpected argument: ${words.slice(most).join(" ")}`, usage);
}

export function find(name: string, { commands, unknown }: CommandSet): Command {
  const command = commands.find((candidate) => candidate.name === name || candidate.aliases?.includes(name));
  if (command !== undefined) return command;
  const names = commands.map((candidate) => candidate.name);
  throw unknown(name, nearest(name, names));
}
