import { type Host, type HostOptions, ToolAbortError } from "../../../index.ts";
import type { CommandContext, CommandSet } from "../../shared/command.ts";
import { completionSources } from "../../shared/completion/completion-sources.ts";
import { createHost } from "../../shared/create-host.ts";
import { demoServer } from "../../shared/demo-server.ts";
import { dispatch, printError } from "../../shared/dispatch.ts";
import { findWords } from "../../shared/parse-words.ts";
import type { LineHandler } from "../line-handler.ts";
import type { Screen } from "../screen.ts";
import { lineWords } from "../split-line.ts";
import { completeLine } from "./complete-line.ts";
import { createMcpCommands } from "./mcp-commands.ts";
import { createScreenTerminal } from "./screen-terminal.ts";
import { createServerChanges } from "./server-changes.ts";
import { createWizard } from "./wizard.ts";

export interface McpHandlerOptions {
  /** The host of interactive mode. */
  readonly host: Host;
  readonly screen: Screen;
  /** The options of that host. Temporary hosts use the same folder and environment. */
  readonly hostOptions?: HostOptions;
}

export interface McpHandler extends LineHandler {
  /** Returns whether a running command will report the server's next state, so that others do not. */
  tells(server: string): boolean;
  /** Resolves when all background work is done. */
  settled(): Promise<void>;
}

/** Handles lines that start with `/mcp`: runs the commands of the command line on the running host. */
export function createMcpHandler({ host, screen, hostOptions = {} }: McpHandlerOptions): McpHandler {
  const changes = createServerChanges(host, screen);
  const cwd = hostOptions.cwd ?? process.cwd();
  const home = hostOptions.home ?? hostOptions.env?.["HOME"] ?? process.env["HOME"] ?? "";
  const openWizard = createWizard({ host, screen, changes, hostOptions });
  const vocabulary = createMcpCommands({ host, dialogs: screen.dialogs, changes, cwd, openWizard });

  return {
    accepts: (line) => /^\s*\/mcp(?:\s|$)/.test(line),
    async run(line, signal) {
      const terminal = createScreenTerminal(screen, home, signal);
      const temporaryHosts: Host[] = [];
      let isInterruptExpected = false;
      let verb = "";
      let json = false;
      const context = { vocabulary, terminal, signal, color: true };
      try {
        const words = joinName(lineWords(line).slice(1), vocabulary, host);
        const cut = words.indexOf("--");
        json = (cut === -1 ? words : words.slice(0, cut)).includes("--json");
        const [name] = findWords(words, vocabulary.commands).map(({ word }) => word);
        verb = name ?? "";
        const running = dispatch(name, words, {
          ...context,
          json,
          hostAsks: true,
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
        terminal.flush();
        await Promise.all(temporaryHosts.map((temporary) => temporary.close()));
      }
    },
    complete: (line, cursor) => completeLine(line, cursor, vocabulary, completionSources(host)),
    help: [
      ["/mcp", "list the servers and their status"],
      ["/mcp add", "add a server, step by step"],
      ["/mcp help", "all server commands"],
    ],
    tells: changes.tells,
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
      ...(needsDemo && { servers: { demo: demoServer() } }),
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
