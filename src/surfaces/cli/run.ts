import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Host, type HostOptions, ToolAbortError } from "../../index.ts";
import type { CommandContext, CommandSet, ExitCode, InteractiveMode } from "../shared/command.ts";
import { createHost } from "../shared/create-host.ts";
import { demoServer } from "../shared/demo-server.ts";
import { dispatch, printError } from "../shared/dispatch.ts";
import { displayContextOf } from "../shared/display-context.ts";
import { exitCodeOf } from "../shared/exit-code.ts";
import { inputQuestion } from "../shared/input/input-question.ts";
import { findWords, GLOBAL_FLAGS } from "../shared/parse-words.ts";
import { toErrorDocument } from "../shared/render/error.ts";
import { renderJsonLine } from "../shared/render/json.ts";
import { shortenPaths } from "../shared/render/place.ts";
import type { Terminal } from "../shared/terminal.ts";
import { timeLimit } from "../shared/time-limit.ts";
import { usageError } from "../shared/usage-error.ts";
import { COMMANDS } from "./commands/index.ts";
import { overview } from "./commands/overview.ts";
import { createPagedTerminal } from "./paged-terminal.ts";
import { createQuietTerminal } from "./quiet-terminal.ts";
import { createStderrLog } from "./stderr-log.ts";

/** All commands, including the one that runs without a command name. */
const ALL = [...COMMANDS, overview];

export interface RunContext {
  readonly terminal: Terminal;
  readonly interactive: InteractiveMode;
  readonly signal: AbortSignal;
}

const COMMAND_LINE: CommandSet = {
  program: "plugboard",
  commands: COMMANDS,
  flags: GLOBAL_FLAGS,
  bare: overview,
  renderHelp: async (style, columns) =>
    (await import("../shared/help/help-pages.lazy.ts")).renderHelp(COMMANDS, overview, style, columns),
  unknown(name, close) {
    const meant = CHAT_WORDS.get(name) ?? (close === undefined ? undefined : `plugboard ${close}`);
    return usageError(
      `Unknown command: ${name}`,
      meant === undefined ? "See plugboard --help." : `Did you mean "${meant}"?`,
    );
  },
};

/** What starts the chat is not a command. */
const CHAT_WORDS: ReadonlyMap<string, string> = new Map([
  ["chat", "plugboard"],
  ["resume", "plugboard --resume"],
  ["history", "plugboard --resume"],
]);

/** Runs one command and returns its exit code. Never rejects. */
export async function run(
  args: readonly string[],
  { terminal, interactive, signal }: RunContext,
): Promise<ExitCode> {
  const [first] = findWords(args, ALL);
  const words = first?.word === "mcp" ? args.toSpliced(first.index, 1) : args;
  const [name] = findWords(words, ALL).map(({ word }) => word);
  const cut = args.indexOf("--");
  const own = cut === -1 ? args : args.slice(0, cut); // arguments after `--` belong to another program
  const json = own.some((word) => /^--(?:json|select(?:=.*)?)$/s.test(word));
  const quiet = own.some((word) => word === "--quiet" || word === "-q");
  const color = !own.includes("--no-color");
  const hosts: { close(): Promise<void> }[] = [];
  let isInterruptExpected = false;
  const expectInterrupt = (): void => {
    isInterruptExpected = true;
  };
  const paged = quiet ? undefined : createPagedTerminal(terminal, name, own);
  const output = paged?.terminal ?? terminal;
  try {
    // An interrupted command may run a little longer. Its output is dropped.
    const activeTerminal: Terminal = {
      ...(quiet ? createQuietTerminal(terminal) : output),
      out: (text) => void (signal.aborted || output.out(text)),
    };
    const dispatched = dispatch(name, words, {
      vocabulary: COMMAND_LINE,
      interactive,
      terminal: activeTerminal,
      signal,
      json,
      color,
      expectInterrupt,
      hostOpener: (flags) => hostOpener(flags, { terminal, json: json || quiet, color, hosts, signal }),
      standalone: (flags) => ({
        hostOptions: () => hostOptions(flags, terminal),
        onExit: (closable) => void hosts.push(closable),
      }),
    });
    return await Promise.race([dispatched, rejectWhenAborted(signal)]);
  } catch (error) {
    if (!signal.aborted) await paged?.finish();
    if (signal.aborted && isInterruptExpected) return 130;
    if (json && printsJsonLines(own)) terminal.out(errorLine(error, name ?? ""));
    else if (json || !signal.aborted)
      printError(error, name ?? "", { vocabulary: COMMAND_LINE, terminal, signal, json, color });
    return signal.aborted ? 130 : exitCodeOf(error);
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
    await paged?.finish();
  }
}

/** Returns whether the output is one JSON document per line, as with `--print`. */
function printsJsonLines(args: readonly string[]): boolean {
  return args.some((word) => /^(?:-p|--print)(?:=|$)/.test(word));
}

function errorLine(error: unknown, verb: string): string {
  return renderJsonLine({ type: "error", ...toErrorDocument(error, { verb, program: "plugboard" }) });
}

/** Rejects when the user presses Ctrl-C, so that no command keeps waiting. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new ToolAbortError("Cancelled.")), { once: true });
  });
}

interface HostOpenerOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly color: boolean;
  readonly signal: AbortSignal;
  readonly hosts: { close(): Promise<void> }[];
}

function hostOptions(flags: CommandContext["flags"], terminal: Terminal): HostOptions {
  return {
    cwd: workingFolder(flags["directory"]),
    trustProject: flags["trust-project"] === true,
    ...timeLimit(flags["timeout"]),
    ...(flags["verbose"] === true && { log: createStderrLog(terminal) }),
  };
}

function hostOpener(
  flags: CommandContext["flags"],
  { terminal, json, color, hosts, signal }: HostOpenerOptions,
): CommandContext["openHost"] {
  const open = async (options: HostOptions, quiet: boolean): Promise<Host> => {
    const host = await createHost({
      ...hostOptions(flags, terminal),
      ...(!json && inputQuestion({ terminal, flags }, color, signal)),
      eager: false, // a command connects only to the servers it needs
      ...options,
    });
    hosts.push(host);
    host.subscribe((event) => {
      if (event.type !== "problem") return;
      const display = displayContextOf({ terminal, flags, program: "plugboard" });
      // The user must always see the sign-in URL, even with --json or quiet.
      if ((!json && !quiet) || event.problem.code === "sign-in-address")
        terminal.err(
          `${terminal.errStyle(color).warn("!")} ${shortenPaths(event.problem.message, display)}\n`,
        );
    });
    return host;
  };
  return ({ demo = false, quiet = false, ...options } = {}) =>
    open({ ...options, ...(demo && { fallbackServers: { demo: demoServer() } }) }, quiet);
}

function workingFolder(given: CommandContext["flags"][string]): string {
  if (typeof given !== "string") return currentFolder();
  const folder = resolve(given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`Folder not found: ${folder}`, "Pass an existing folder to --directory.");
  return folder;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw usageError(
      "The current folder no longer exists.",
      "Change to an existing folder, or pass --directory <folder>.",
    );
  }
}
