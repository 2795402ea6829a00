import type { Command, CommandSet, Flag } from "../../shared/command.ts";
import { SHARED_COMMANDS } from "../../shared/commands/index.ts";
import { list } from "../../shared/commands/list.ts";
import { test } from "../../shared/commands/test.ts";
import { GLOBAL_FLAGS } from "../../shared/parse-words.ts";
import { renderCommands } from "../../shared/render/help.ts";
import type { Style } from "../../shared/render/style.ts";
import { TIMEOUT_FLAG } from "../../shared/time-limit.ts";
import { usageError } from "../../shared/usage-error.ts";
import { type AddContext, createAddCommand } from "./add-command.ts";
import { reauth, reconnect, reload, unauth } from "./session-commands.ts";

export const PROGRAM = "/mcp";

/** The global flags that also apply inside a session. The others configure a whole run. */
const { json, help } = GLOBAL_FLAGS;
const FLAGS: Readonly<Record<string, Flag>> = {
  json: { ...json, summary: "print one JSON document" } as Flag,
  help: help as Flag,
};

/** Commands after which servers may connect or disconnect. */
const CHANGING: ReadonlySet<string> = new Set([
  "remove",
  "enable",
  "disable",
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
}

/** Creates the commands of `/mcp`: those of the command line, and those that only a session has. */
export function createMcpCommands(context: McpContext): CommandSet {
  const { changes, cwd } = context;
  const own = [createAddCommand(context), closeOnCancel(test), reload, reconnect, reauth, unauth];
  const others = SHARED_COMMANDS.filter((shared) => own.every(({ name }) => name !== shared.name)).map(
    asInSession,
  );
  const byName = new Map([...others, ...own].map((command) => [command.name, command]));
  const order = [...new Set([...SHARED_COMMANDS.map(({ name }) => name), ...byName.keys()])];
  const commands = order.flatMap((name) => byName.get(name) ?? []).map(inFolder);

  /** Adapts a command to a session. */
  function asInSession(command: Command): Command {
    if (command.name === "status") return { ...command, flags: {} }; // no --watch: the status line shows changes
    const { timeout, ...flags } = command.flags;
    if (timeout === TIMEOUT_FLAG.timeout) return { ...command, flags }; // the running servers already have their timeouts
    if (command.name === "login" || command.name === "logout") return withReport({ ...command, aliases: [] });
    return withReport(command);
  }

  /** Reports which servers changed, after the command ran. */
  function withReport(command: Command): Command {
    if (!CHANGING.has(command.name)) return command;
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

  return {
    program: PROGRAM,
    commands,
    flags: FLAGS,
    bare: {
      ...list,
      name: "",
      async run(context) {
        const code = await inFolder(list).run(context);
        if (!context.json) context.terminal.out(`${context.style.dim("Type /mcp help for usage.")}\n`);
        return code;
      },
    },
    renderHelp: (style) => renderMcpHelp(commands, style),
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

function renderMcpHelp(commands: readonly Command[], style: Style): string {
  return [
    `${style.bold("Usage")}  /mcp <command> [options]`,
    "",
    "Without a command: lists your servers and their status.",
    "",
    ...renderCommands(commands),
    "",
    "/mcp help <command> shows its options and examples. Quotes and backslashes work as in a shell.",
  ].join("\n");
}
