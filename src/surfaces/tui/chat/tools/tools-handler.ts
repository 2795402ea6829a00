import type { Host, ToolBudget } from "../../../../index.ts";
import { nearest, safeLine } from "../../../../terminal.ts";
import { count } from "../../../shared/render/server-list.ts";
import { shortNumber } from "../../../shared/render/short-number.ts";
import { usageError } from "../../../shared/usage-error.ts";
import type { Completions, LineHandler } from "../../line-handler.ts";
import type { Screen } from "../../screen.ts";
import { lineWords } from "../../split-line.ts";
import type { ToolSelection } from "./tool-selection.ts";
import { createToolsPanel, type OfferedTools } from "./tools-panel.ts";

export interface ToolsHandlerOptions {
  readonly host: Host;
  readonly screen: Screen;
  readonly selection: ToolSelection;
}

const USAGE = "Use /tools, or /tools on|off <server> [<tool>].";

/** Handles `/tools`: shows what the model has, and switches servers and tools for this conversation. */
export function createToolsHandler({ host, screen, selection }: ToolsHandlerOptions): LineHandler {
  const switchOne = async ([how, server = "", tool, ...more]: readonly string[]): Promise<void> => {
    if ((how !== "on" && how !== "off") || server === "" || more.length > 0)
      throw usageError("Invalid arguments.", USAGE);
    const servers = host.servers().map(({ name }) => name);
    if (!servers.includes(server)) throw unknown("server", server, servers);
    const offered = await readOffered(host);
    const tools = offered.find((each) => each.server === server)?.tools.map(({ name }) => name) ?? [];
    if (tool !== undefined && !tools.includes(tool)) throw unknown("tool", tool, tools);
    selection.set(server, tool, how === "on");
    const what =
      tool === undefined ? `"${safeLine(server)}"` : `"${safeLine(tool)}" of "${safeLine(server)}"`;
    screen.print(`${screen.style.good("✓")} Switched ${what} ${how} for this conversation.`);
  };
  return {
    help: [
      ["/tools", "show the tools that the model has, and switch them on or off"],
      ["/tools on|off <server> [<tool>]", "switch a server or a tool for this conversation"],
    ],
    accepts: (line) => /^\/tools(?:\s|$)/.test(line),
    async run(line, signal) {
      const words = lineWords(line).slice(1);
      if (words.length > 0) return switchOne(words);
      const [offered, budget] = await Promise.all([
        readOffered(host),
        host.doctor.budget({ connect: false }),
      ]);
      const title = (): string => describeHeld(offered, selection, budget);
      if (screen.isLinear === true)
        return screen.print([title(), ...describeTools(offered, selection)].join("\n"));
      await screen.dialogs.openPanel<void>(
        (tools) => createToolsPanel({ offered, selection, title, style: screen.style }, tools),
        signal,
      );
      screen.print(title());
    },
    async complete(line, cursor): Promise<Completions | undefined> {
      const [, how, server, tool] =
        /^\/tools\s+(\S*)(?:\s+(\S*)(?:\s+(\S*))?)?$/.exec(line.slice(0, cursor)) ?? [];
      if (how === undefined) return undefined;
      const typed = tool ?? server ?? how;
      const offered = server === undefined ? [] : await readOffered(host);
      const names =
        server === undefined
          ? ["on", "off"]
          : tool === undefined
            ? offered.map((each) => each.server)
            : (offered.find((each) => each.server === server)?.tools ?? []).map(({ name }) => name);
      const items = names.filter((name) => name.startsWith(typed)).map((text) => ({ text }));
      return items.length === 0 ? undefined : { from: cursor - typed.length, items };
    },
  };
}

/** Returns the tools by server, as far as they are known without connecting. */
async function readOffered(host: Host): Promise<OfferedTools[]> {
  const [tools, { servers }] = await Promise.all([
    host.tools({ connect: false }),
    host.doctor.budget({ connect: false }),
  ]);
  return servers.map(({ server, tokens }) => ({
    server,
    tokens,
    tools: tools
      .filter((tool) => tool.server === server)
      .map(({ tool, description }) => ({ name: tool, description })),
  }));
}

/** Lists the servers and tools for a screen without panels. */
function describeTools(offered: readonly OfferedTools[], selection: ToolSelection): string[] {
  const state = (isOn: boolean): string => (isOn ? "on" : "off");
  return offered.flatMap(({ server, tools }) => [
    `${safeLine(server)}: ${state(selection.isOn(server))}`,
    ...tools.map(({ name }) => `  ${safeLine(name)}: ${state(selection.isOn(server, name))}`),
  ]);
}

function describeHeld(
  offered: readonly OfferedTools[],
  selection: ToolSelection,
  { direct, budget }: ToolBudget,
): string {
  const on = offered.map(({ server, tools, tokens }) => {
    const held = tools.filter(({ name }) => selection.isOn(server, name)).length;
    return { held, tokens: tools.length === 0 ? 0 : (tokens * held) / tools.length };
  });
  const held = on.reduce((sum, each) => sum + each.held, 0);
  const tokens = on.reduce((sum, each) => sum + each.tokens, 0);
  const all = offered.reduce((sum, { tools }) => sum + tools.length, 0);
  const how = tokens > budget && direct > budget ? ", found with search tools" : "";
  return `The model has ${held} of ${count(all, "tool")}, ~${shortNumber(Math.round(tokens))} tokens${how}`;
}

function unknown(what: string, name: string, known: readonly string[]): Error {
  const close = nearest(name, known);
  return usageError(
    `Unknown ${what} "${safeLine(name)}".`,
    close === undefined ? undefined : `Did you mean "${close}"?`,
  );
}
