import { type Host, type HostOptions, ToolAbortError } from "../../../index.ts";
import type { CommandContext, CommandSet } from "../../shared/command.ts";
import { completionSources } from "../../shared/completion/completion-sources.ts";
import { createHost } from "../../shared/create-host.ts";
import { demoServer } from "../../shared/demo-server.ts";
import { dispatch, printError } from "../../shared/dispatch.ts";
import { findWords } from "../../shared/parse-words.ts";
import type { LineHandler } from "../line-handler.ts";
import { askFields } from "../questions/ask-form.ts";
import type { Screen } from "../screen.ts";
import { lineWords } from "../split-line.ts";
import { browseServers } from "./browse/browse-servers.ts";
import { completeLine } from "./complete-line.ts";
import { followNewServers } from "./follow-new-servers.ts";
import { createMcpCommands, type McpContext } from "./mcp-commands.ts";
import { createScreenTerminal } from "./screen-terminal.ts";
import { createServerChanges } from "./server-changes.ts";
import { showHelp } from "./show-help.ts";
import { createWizard } from "./wizard.ts";

export interface McpHandlerOptions {
  /** The host of interactive mode. */
  readonly host: Host;
  readonly screen: Screen;
  /** The options of that host. Temporary hosts use the same folder and environment. */
  readonly hostOptions?: HostOptions;
  /** Whether `/mcp` opens a list to browse. Otherwise it prints the list. Default: `false`. */
  readonly canBrowse?: boolean;
}

export interface McpHandler extends LineHandler {
  /** Returns whether a running command will report the server's next state, so that others do not. */
  tells(server: string): boolean;
  /** Stops connecting servers that other programs add. */
  stop(): void;
  /** Resolves when all background work is done. */
  settled(): Promise<void>;
}

/** Handles lines that start with `/mcp`: runs the command line's commands on the running host. */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const { host, screen, hostOptions = {}, canBrowse = false } = options;
  const changes = createServerChanges(host, screen);
  const cwd = hostOptions.cwd ?? process.cwd();
  const home = hostOptions.home ?? hostOptions.env?.["HOME"] ?? process.env["HOME"] ?? "";
  let commands = 0;
  const stopFollowing = followNewServers(host, (server) => {
    if (commands === 0) changes.connect(server); // a running command reports its own changes
  });
  const openWizard = createWizard({ host, screen, changes, hostOptions });
  const display = { home, cwd, program: "/mcp" };
  const asCommand = async (work: () => Promise<void>): Promise<void> => {
    commands += 1;
    await work().finally(() => {
      commands -= 1;
    });
  };
  const browse: McpContext["browse"] = async (run, signal) => {
    commands -= 1; // looking at the list changes nothing
    const runCommand: typeof run = (action) => asCommand(() => run(action));
    await browseServers({ host, screen, run: runCommand, signal, display }).finally(() => {
      commands += 1;
    });
  };
  const vocabulary = createMcpCommands({
    host,
    dialogs: screen.dialogs,
    changes,
    cwd,
    openWizard,
    browse: canBrowse ? browse : undefined,
  });

  return {
    accepts: (line) => /^\s*\/mcp(?:\s|$)/.test(line),
    async run(line, signal) {
      const terminal = createScreenTerminal(screen, home, signal);
      const temporaryHosts: Host[] = [];
      let isInterruptExpected = false;
      commands += 1;
      let verb = "";
      let json = false;
      const context = { vocabulary, terminal, signal, color: true };
      try {
        const words = joinName(lineWords(line).slice(1), vocabulary, host);
        if (canBrowse && words.join(" ").match(/^(?:help|--help|-h)$/))
          return await showHelp(screen, vocabulary.commands, signal);
        const cut = words.indexOf("--");
        json = (cut === -1 ? words : words.slice(0, cut)).includes("--json");
        const [name] = findWords(words, vocabulary.commands).map(({ word }) => word);
        verb = name ?? "";
        const running = dispatch(name, words, {
          ...context,
          json,
          hostAsks: true,
          askFields: (fields, stop) => askFields(screen.dialogs, fields, stop),
          expectInterrupt: () => {
            isInterruptExpected = true;
          },
          hostOpener: () => openerFor(host, hostOptions, temporaryHosts),
        });
        await Promise.race([running, rejectWhenAborted(signal)]);
      } catch (error) {
        if (!signal.aborted) printError(error, verb, { ...context, json });
        else if (!isInterruptExpected) screen.print(screen.style.dim("Cancelled."));
      } finally {
        commands -= 1;
        terminal.flush();
        await Promise.all(temporaryHosts.map((temporary) => temporary.close()));
      }
    },
    complete: (line, cursor) => completeLine(line, cursor, vocabulary, completionSources(host)),
    help: [
      ["/mcp", "show the servers; Enter opens one, with its commands and output"],
      ["/mcp add", "add a server, step by step"],
      ["/mcp help", "all server commands"],
    ],
    tells: changes.tells,
    stop: stopFollowing,
    settled: changes.settled,
  };
}

/** Commands use the running host. A recording gets its own host, and so does the demo server if it is not configured. */
function openerFor(host: Host, options: HostOptions, temporaryHosts: Host[]): CommandContext["openHost"] {
  return async ({ demo = false, record } = {}) => {
    const needsDemo = demo && !host.servers().some(({ name }) => name === "demo");
    if (!needsDemo && record === undefined) return host;
    const temporary = await createHost({
      ...options,
      eager: false,
      ...(needsDemo && { fallbackServers: { demo: demoServer() } }),
      ...(record !== undefined && { record }),
    });
    temporaryHosts.push(temporary);
    return temporary;
  };
}

/** Joins the words of a server name with spaces, so that it needs no quotes. Only for commands with one argument. */
function joinName(words: readonly string[], vocabulary: CommandSet, host: Host): readonly string[] {
  const [verb, ...more] = findWords(words, vocabulary.commands);
  const command = vocabulary.commands.find(
    ({ name, aliases }) => name === verb?.word || aliases?.includes(verb?.word ?? ""),
  );
  if (command?.words.most !== 1 || more.length < 2) return words;
  const name = more.map(({ word }) => word).join(" ");
  if (!host.servers().some((server) => server.name === name)) return words;
  const places = new Set(more.map(({ index }) => index));
  const [first] = places;
  return words.flatMap((word, index) => (index === first ? [name] : places.has(index) ? [] : [word]));
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new ToolAbortError("Cancelled."));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
