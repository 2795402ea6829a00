import { type AgentTool, type Host, isHostError, messageOf, type ToolBudget } from "../../../index.ts";
import { safeLine, truncate } from "../../../terminal.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { count } from "../render/server-list.ts";
import { type Cell, displayWidth, renderTable } from "../render/table.ts";
import { renderToolList } from "../render/tool-list.ts";
import { reportWhileWaiting } from "../report-while-waiting.ts";
import { TIMEOUT_FLAG } from "../time-limit.ts";
import { TYPED_SERVER_FLAGS, TYPED_SERVER_NOTE } from "../typed-server-flags.ts";
import { type Failure, failuresOf } from "./failures.ts";

/** A command waits for every server, within the server's own time limits. */
const WITHOUT_LIMIT = { waitMs: Number.POSITIVE_INFINITY };

const loadToolPages = () => import("./show-tool.lazy.ts");

export const tools: Command = {
  name: "tools",
  summary: "List the tools of one server or of all approved servers, or show one tool.",
  parameters: "[server] [tool]",
  notes: [TYPED_SERVER_NOTE],
  words: { least: 0, most: 2 },
  flags: {
    refresh: { type: "boolean", summary: "query the server instead of using the cached list" },
    search: { type: "string", value: "<words>", summary: "show the tools that best match these words" },
    review: { type: "boolean", summary: "show what looks suspicious in the tool definitions" },
    budget: { type: "boolean", summary: "show how many tokens the tool definitions use" },
    ...TYPED_SERVER_FLAGS,
    ...TIMEOUT_FLAG,
  },
  takesRest: true,
  takesTypedServer: true,
  examples: [
    "plugboard tools",
    "plugboard tools demo",
    "plugboard tools demo text_stats",
    "plugboard tools filesystem --json",
    "plugboard tools filesystem --review",
    'plugboard tools --search "create an issue"',
    "plugboard tools --budget",
    "plugboard tools -- npx -y @modelcontextprotocol/server-everything",
  ],
  async run(context) {
    const [server, tool] = context.words;
    const { search } = context.flags;
    const refresh = context.flags["refresh"] === true;
    const review = context.flags["review"] === true;
    const host = await context.openHost({ daemon: "auto", demo: server === "demo", quiet: review });
    if (server !== undefined && tool !== undefined)
      return (await loadToolPages()).showTool(context, host, { server, tool, refresh });
    if (review) return (await loadToolPages()).reviewTools(context, host, server);
    if (context.flags["budget"] === true) return printBudget(context, await host.doctor.budget());
    if (typeof search === "string") {
      const found = await host.search(search, { server, ...WITHOUT_LIMIT });
      return printFound(context, found);
    }
    if (server !== undefined)
      return printOne(
        context,
        server,
        await reportWhileWaiting(context, host, listTools(host, server, refresh)),
      );
    return printAll(context, host, refresh);
  },
};

/** Lists one server's tools. Listing never asks for a sign-in, but connecting does if the user can be asked. */
async function listTools(host: Host, server: string, refresh: boolean): Promise<readonly AgentTool[]> {
  try {
    return await host.tools(server, { refresh });
  } catch (error) {
    if (!isHostError(error) || error.reason !== "signIn") throw error;
    await host.connect(server);
    return host.tools(server, { refresh });
  }
}

/** Prints search results, best match first. */
function printFound(context: CommandContext, found: readonly AgentTool[]): ExitCode {
  const { json, terminal, style } = context;
  if (json) return print(context, found, []);
  const names = found.map(({ server, tool }) => ({ tool: safeLine(tool), of: `of ${safeLine(server)}` }));
  const width = Math.max(0, ...names.map(({ tool, of }) => displayWidth(`${tool}  ${of}  `)));
  const rows = found.map(({ description }, at): Cell[] => [
    { text: names[at]?.tool ?? "", paint: style.name },
    { text: names[at]?.of ?? "", paint: style.dim },
    { text: truncate(safeLine(description), Math.max(12, terminal.columns - width)) },
  ]);
  terminal.out(found.length === 0 ? "No tools match.\n" : `${renderTable(rows).join("\n")}\n`);
  return 0;
}

function printBudget({ json, printJson, terminal, style }: CommandContext, cost: ToolBudget): ExitCode {
  if (json) {
    printJson(cost);
    return 0;
  }
  const { direct, meta, budget, servers, slots } = cost;
  const rows = [
    ...servers.map(({ server, tools: number, tokens }) => [
      safeLine(server),
      count(number, "tool"),
      `${tokens} tokens`,
    ]),
    ["all definitions", "", `${direct} tokens`],
    ["search mode", "", `${meta} tokens`],
    ["often used", count(slots.tools.length, "tool"), `${slots.tokens} tokens`],
  ];
  terminal.out(`${renderTable(rows.map((row) => row.map((text) => ({ text })))).join("\n")}\n`);
  terminal.out(`${style.dim(`Estimates. Mode "auto" uses search mode above ${budget} tokens.`)}\n`);
  for (const line of describeSlots(slots)) terminal.out(`${style.dim(line)}\n`);
  return 0;
}

function describeSlots({ tools: chosen, share = 0, hitRate }: ToolBudget["slots"]): string[] {
  if (chosen.length === 0) return [];
  const percent = (part: number): string => `${Math.round(part * 100)} %`;
  const names = chosen.map(({ server, tool }) => `${safeLine(tool)} of ${safeLine(server)}`).join(", ");
  const hits =
    hitRate === undefined
      ? "No such session has made calls yet."
      : `In such sessions, ${percent(hitRate)} of the calls needed no search.`;
  return [
    `It then also offers tools that are often used: ${names}.`,
    `They received ${percent(share)} of the recent calls. ${hits}`,
  ];
}

function printOne(context: CommandContext, server: string, found: readonly AgentTool[]): ExitCode {
  if (found.length === 0 && !context.json)
    context.terminal.out(`No tools: "${safeLine(server)}" offers none that are allowed.\n`);
  return print(context, found, []);
}

async function printAll(context: CommandContext, host: Host, refresh: boolean): Promise<ExitCode> {
  const found = await reportWhileWaiting(context, host, host.tools({ refresh, ...WITHOUT_LIMIT }));
  const failures = failuresOf(host, context.program);
  if (found.length === 0 && failures.length === 0 && !context.json) {
    const nothing = host.servers().length === 0;
    context.terminal.out(
      nothing
        ? "No tools: no servers are configured here.\n"
        : "No tools: none of your servers offers any.\n",
    );
    context.terminal.err(
      nothing
        ? `Try the built-in demo server: ${context.program} tools demo\n`
        : `To see the servers: ${context.program} list\n`,
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
  const byServer = new Map<string, AgentTool[]>();
  for (const tool of found) {
    const own = byServer.get(tool.server);
    if (own === undefined) byServer.set(tool.server, [tool]);
    else own.push(tool);
  }
  const blocks = [...byServer].map(
    ([server, own]) => `${renderToolList(server, own, style, terminal.columns).join("\n")}\n`,
  );
  terminal.out(blocks.join("\n"));
  for (const { server, message } of failures)
    terminal.err(`! ${safeLine(server)}: ${safeLine(messageOf(message))}\n`);
  return 0;
}
