import { type AgentTool, type Host, messageOf, safeLine } from "../../../index.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { type Failure, failuresOf } from "./failures.ts";
import { renderToolList } from "../render/tool-list.ts";

export const tools: Command = {
  name: "tools",
  summary: "Show the tools of one server, or of all approved ones.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: { refresh: { type: "boolean", summary: "ask the server even when its tools are known" } },
  examples: ["plugboard tools", "plugboard tools demo", "plugboard tools filesystem --json"],
  async run(context) {
    const [server] = context.words;
    const host = await context.openHost({ demo: server === "demo" });
    const refresh = context.flags["refresh"] === true;
    if (server !== undefined) return print(context, await host.tools(server, { refresh }), []);
    return printAll(context, host, refresh);
  },
};

async function printAll(context: CommandContext, host: Host, refresh: boolean): Promise<ExitCode> {
  const found = await host.tools(undefined, { refresh });
  const failures = failuresOf(host);
  if (found.length === 0 && failures.length === 0 && !context.json) {
    const nothing = host.servers().length === 0;
    context.terminal.out(
      nothing ? "No tools: no server is configured here.\n" : "No tools: no server here offers any.\n",
    );
    context.terminal.err(
      nothing
        ? "The built-in one is always there: plugboard tools demo\n"
        : "To see the servers: plugboard list\n",
    );
  }
  print(context, found, failures);
  return found.length === 0 && failures.length > 0 ? 1 : 0;
}

function print(
  { json, printJson, terminal, style }: CommandContext,
  found: readonly AgentTool[],
  failures: readonly Failure[],
): ExitCode {
  if (json) {
    printJson({ tools: found.map(({ execute: _, ...tool }) => tool), failures });
    return 0;
  }
  const servers = [...new Set(found.map(({ server }) => server))];
  const blocks = servers.map((server) => {
    const own = found.filter((tool) => tool.server === server);
    return `${renderToolList(server, own, style, terminal.columns).join("\n")}\n`;
  });
  terminal.out(blocks.join("\n"));
  for (const { server, message } of failures)
    terminal.err(`! ${safeLine(server)}: ${safeLine(messageOf(message))}\n`);
  return 0;
}
