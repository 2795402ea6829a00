import type { Command, CommandContext, CommandSet, Flag } from "../../shared/command.ts";
import { SHARED_COMMANDS } from "../../shared/commands/index.ts";
import { list } from "../../shared/commands/list.ts";
import { test } from "../../shared/commands/test.ts";
import { GLOBAL_FLAGS } from "../../shared/parse-words.ts";
import { renderError } from "../../shared/render/error.ts";
import type { Style } from "../../shared/render/style.ts";
import { TIMEOUT_FLAG } from "../../shared/time-limit.ts";
import { usageError } from "../../shared/usage-error.ts";
import { type AddContext, createAddCommand } from "./add-command.ts";
import { askChanges } from "./browse/ask-changes.ts";
import type { ServerAction } from "./browse/server-panel.ts";
import { reauth, reconnect, reload, unauth } from "./session-commands.ts";

export const PROGRAM = "/mcp";

/** The global flags that also apply inside a session. The others configure a whole run. */
const { json, help } = GLOBAL_FLAGS;
const FLAGS: Readonly<Record<string, Flag>> = {
  json: { ...json, summary: "print one JSON document" } as Flag,
  help: help as Flag,
};

/** Commands after which servers may connect or disconnect. */
const CHANGING_COMMANDS: ReadonlySet<string> = new Set([
  "remove",
  "enable",
  "disable",
  "set",
  "unset",
  "upgrade",
  "use",
  "move",
  "import",
  "trust",
  "untrust",
  "unauth",
  "logout",
]);

export interface McpContext extends AddContext {
  /** The working folder of interactive mode. */
  readonly cwd: string;
  /** Shows the servers on the screen, for `/mcp` without a command. Without it, `/mcp` lists them. */
  readonly browse?:
    | ((run: (action: ServerAction) => Promise<void>, signal: AbortSignal) => Promise<void>)
    | undefined;
}

/** Creates the commands of `/mcp`: those of the command line, and those that only a session has. */
export function createMcpCommands(context: McpContext): CommandSet {
  const { host, dialogs, changes, cwd, browse } = context;
  const own = [createAddCommand(context), closeOnCancel(test), reload, reconnect, reauth, unauth];
  const others = SHARED_COMMANDS.filter((shared) => own.every(({ name }) => name !== shared.name)).map(
    adaptToSession,
  );
  const byName = new Map([...others, ...own].map((command) => [command.name, command]));
  const order = [...new Set([...SHARED_COMMANDS.map(({ name }) => name), ...byName.keys()])];
  const commands = order.flatMap((name) => byName.get(name) ?? []).map(inFolder);

  /** Adapts a command to a session. */
  function adaptToSession(command: Command): Command {
    if (command.name === "status") return { ...command, flags: {} }; // no --watch: the status line shows changes
    const { timeout, ...flags } = command.flags;
    if (timeout === TIMEOUT_FLAG.timeout) return { ...command, flags }; // the running servers already have their timeouts
    if (command.name === "login" || command.name === "logout") return withReport({ ...command, aliases: [] });
    return withReport(command);
  }

  /** Reports which servers changed, after the command ran. */
  function withReport(command: Command): Command {
    if (!CHANGING_COMMANDS.has(command.name)) return command;
    return {
      ...command,
      async run(context) {
        const report = await changes.look();
        const code = await command.run(context);
        report();
        return code;
      },
    };
  }

  function inFolder(command: Command): Command {
    return {
      ...command,
      run: (context) => command.run({ ...context, flags: { ...context.flags, directory: cwd } }),
    };
  }

  /** Runs a command that the user chose in the list of servers. Its errors are printed, and the list stays open. */
  async function runAction({ verb, server }: ServerAction, context: CommandContext): Promise<void> {
    const command = byName.get(verb);
    if (command === undefined) return;
    const { terminal, style, signal } = context;
    try {
      const more = verb === "set" ? await askChanges({ host, dialogs, signal }, server) : [];
      if (verb === "set" && more.length === 0) return;
      await inFolder(command).run({ ...context, words: [server, ...more], flags: {}, rest: [] });
    } catch (error) {
      if (!signal.aborted) terminal.err(renderError(error, style, { verb, program: PROGRAM }));
    }
  }

  return {
    program: PROGRAM,
    commands,
    flags: FLAGS,
    bare: {
      ...list,
      name: "",
      async run(context) {
        if (browse !== undefined && !context.json) {
          await browse((action) => runAction(action, context), context.signal);
          return 0;
        }
        const code = await inFolder(list).run(context);
        if (!context.json) context.terminal.out(`${context.style.dim("Type /mcp help for usage.")}\n`);
        return code;
      },
    },
    renderHelp: (style, columns) => renderMcpHelp(commands, style, columns),
    unknown: (name, close) =>
      usageError(
        `Unknown subcommand: ${name}. Type /mcp help for usage.`,
        close === undefined ? undefined : `Did you mean "/mcp ${close}"?`,
      ),
  };
}

/** Closes the connection if the user cancels the command. */
function closeOnCancel(command: Command): Command {
  return {
    ...command,
    flags: {},
    async run(context) {
      const [server = ""] = context.words;
      const host = await context.openHost({ demo: server === "demo" });
      const end = (): void => void host.close(server);
      context.signal.addEventListener("abort", end, { once: true });
      try {
        return await command.run({ ...context, openHost: async () => host });
      } finally {
        context.signal.removeEventListener("abort", end);
      }
    },
  };
}

async function renderMcpHelp(commands: readonly Command[], style: Style, columns: number): Promise<string> {
  const { renderCommandNames } = await import("../../shared/help/help-pages.lazy.ts");
  return [
    `${style.bold("Usage")}  /mcp <command> [options]`,
    "",
    "Without a command: lists your servers and their status.",
    "",
    ...renderCommandNames(commands, style, columns),
    "",
    "/mcp help <command> shows its options and examples.",
    "Quotes and backslashes work as in a shell.",
  ].join("\n");
}
