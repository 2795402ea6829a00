import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderServerList } from "../render/server-list.ts";

export const list: Command = {
  name: "list",
  summary: "Show every server that was found, where it came from and what is wrong with it.",
  parameters: "",
  words: { least: 0, most: 0 },
  flags: {
    all: { type: "boolean", summary: "show shadowed entries too, and which servers are the same" },
    connect: { type: "boolean", summary: "connect to the approved ones first" },
  },
  examples: ["plugboard list", "plugboard list --all --json"],
  async run(context) {
    const host = await context.openHost();
    if (context.flags["connect"] === true) await host.connectAll();
    const all = context.flags["all"] === true;
    const servers = host.servers({ all });
    const { problems } = host.snapshot();
    if (context.json) {
      context.printJson({ servers, problems });
      return 0;
    }
    if (servers.length === 0 && problems.length === 0) {
      context.terminal.out("No MCP servers are configured here.\n");
      context.terminal.err(
        `Add one: ${context.program} add filesystem . --scope user\nOr look at the built-in one: ${context.program} tools demo\n`,
      );
      return 0;
    }
    const hidden = all ? 0 : servers.reduce((sum, server) => sum + server.shadows.length, 0);
    context.terminal.out(
      renderServerList({ servers, problems, hidden }, context.style, displayContextOf(context)),
    );
    return 0;
  },
};
