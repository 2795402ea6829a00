import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  createHost,
  type Host,
  type HostOptions,
  nearest,
  safeLine,
  ToolAbortError,
  VERSION,
} from "../../index.ts";
import type { Command, CommandContext, ExitCode } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { overview } from "./commands/overview.ts";
import { demoServer } from "./demo-server.ts";
import { exitCodeOf } from "./exit-code.ts";
import { findWords, parseWords } from "./parse-words.ts";
import { renderError, toErrorDocument } from "./render/error.ts";
import { renderCommandHelp, renderHelp } from "./render/help.ts";
import { createStderrLog } from "./stderr-log.ts";
import type { Terminal } from "./terminal.ts";
import { usageError } from "./usage-error.ts";

export interface Surroundings {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** One command, from its words to its exit code. Never rejects. */
export async function run(args: readonly string[], { terminal, signal }: Surroundings): Promise<ExitCode> {
  const [first] = findWords(args, COMMANDS);
  const words = first?.word === "mcp" ? args.toSpliced(first.index, 1) : args;
  const [name] = findWords(words, COMMANDS).map(({ word }) => word);
  const cut = args.indexOf("--");
  const own = cut === -1 ? args : args.slice(0, cut); // what comes after is another program's
  const json = own.includes("--json");
  const color = !own.includes("--no-color");
  const hosts: Host[] = [];
  let isInterruptExpected = false;
  const expectInterrupt = (): void => {
    isInterruptExpected = true;
  };
  try {
    // A command that was interrupted goes on for a moment; what it still says is of no interest.
    const heard: Terminal = { ...terminal, out: (text) => void (signal.aborted || terminal.out(text)) };
    const dispatched = dispatch(name, words, {
      terminal: heard,
      signal,
      json,
      color,
      hosts,
      expectInterrupt,
    });
    return await Promise.race([dispatched, rejectWhenAborted(signal)]);
  } catch (error) {
    if (signal.aborted && isInterruptExpected) return 130;
    if (json) terminal.out(`${JSON.stringify(toErrorDocument(error, name ?? ""), undefined, 2)}\n`);
    else if (!signal.aborted) terminal.err(renderError(error, terminal.errStyle(color), name ?? ""));
    return signal.aborted ? 130 : exitCodeOf(error);
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}

/** Whatever a command is waiting for, Ctrl-C ends the wait. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new ToolAbortError("Cancelled.")), { once: true });
  });
}

interface Dispatch extends Surroundings {
  readonly json: boolean;
  readonly color: boolean;
  readonly hosts: Host[];
  expectInterrupt(): void;
}

async function dispatch(
  name: string | undefined,
  args: readonly string[],
  context: Dispatch,
): Promise<ExitCode> {
  const { terminal, signal, json, color, expectInterrupt } = context;
  const style = terminal.style(color);
  const printJson = (value: unknown): void => terminal.out(`${JSON.stringify(value, undefined, 2)}\n`);
  const print = (key: "help" | "version", text: string): ExitCode => {
    if (json) printJson({ [key]: text });
    else terminal.out(`${text}\n`);
    return 0;
  };
  if (name === "help") {
    const topic = findWords(args, COMMANDS)[1]?.word;
    return print(
      "help",
      topic === undefined ? renderHelp(COMMANDS, style) : renderCommandHelp(find(topic), style),
    );
  }
  const command = name === undefined ? overview : find(name);
  const cut = command.takesRest === true ? args.indexOf("--") : -1;
  const { words, flags } = parseWords(command, cut === -1 ? args : args.slice(0, cut));
  if (flags["version"] === true) return print("version", VERSION);
  if (flags["help"] === true)
    return print(
      "help",
      name === undefined ? renderHelp(COMMANDS, style) : renderCommandHelp(command, style),
    );
  const rest = words.slice(name === undefined ? 0 : 1);
  checkWords(rest, command);
  return command.run({
    words: rest,
    rest: cut === -1 ? [] : args.slice(cut + 1),
    flags,
    json,
    terminal,
    style,
    signal,
    expectInterrupt,
    openHost: hostOpener(flags, context),
    printJson,
  });
}

function checkWords(words: readonly string[], { name, parameters, words: { least, most } }: Command): void {
  const usage = `Usage: ${["plugboard", name, parameters].filter(Boolean).join(" ")}`;
  if (words.length < least) {
    const missing = parameters.match(/<[^>]+>/g)?.[words.length] ?? "a word";
    throw usageError(`Missing ${missing}.`, usage);
  }
  if (words.length > most) throw usageError(`Too many words: ${words.slice(most).join(" ")}`, usage);
}

function hostOpener(
  flags: CommandContext["flags"],
  { terminal, json, color, hosts }: Dispatch,
): CommandContext["openHost"] {
  const open = async (options: HostOptions, quiet: boolean): Promise<Host> => {
    const host = await createHost({
      cwd: workingFolder(flags["directory"]),
      eager: false, // a command uses what it needs and ends
      trustProject: flags["trust-project"] === true,
      ...(flags["verbose"] === true && { log: createStderrLog(terminal) }),
      ...options,
    });
    hosts.push(host);
    host.subscribe((event) => {
      if (event.type === "problem" && !json && !quiet)
        terminal.err(`${terminal.errStyle(color).warn("!")} ${safeLine(event.problem.message)}\n`);
    });
    return host;
  };
  return async ({ demo = false, quiet = false, ...options } = {}) => {
    const host = await open(options, quiet);
    const wanted = demo && !host.servers().some((server) => server.name === "demo");
    return wanted ? open({ ...options, servers: { ...options.servers, demo: demoServer() } }, quiet) : host;
  };
}

function workingFolder(given: CommandContext["flags"][string]): string {
  if (typeof given !== "string") return currentFolder();
  const folder = resolve(given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`There is no folder ${folder}.`, "Give --directory a folder that exists.");
  return folder;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw usageError(
      "The folder you are in is gone.",
      "Change to one that exists, or give --directory <folder>.",
    );
  }
}

function find(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name || candidate.aliases?.includes(name));
  if (command !== undefined) return command;
  const close = nearest(
    name,
    COMMANDS.map((candidate) => candidate.name),
  );
  const hint = close === undefined ? "See plugboard --help." : `Did you mean "plugboard ${close}"?`;
  throw usageError(`Unknown command: ${name}`, hint);
}
