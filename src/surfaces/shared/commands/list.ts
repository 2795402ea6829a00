import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderServerList } from "../render/server-list.ts";

export const list: Command = {
  name: "list",
  summary: "List every server, where it is defined, and its problems.",
  parameters: "",
  words: { least: 0, most: 0 },
  flags: {
    all: { type: "boolean", summary: "include shadowed entries, and mark duplicate servers" },
    connect: { type: "boolean", summary: "connect to approved servers first" },
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
        `Add one: ${context.program} add filesystem . --scope user\nOr try the built-in demo server: ${context.program} tools demo\n`,
      );
      return 0;
    }
    const profile = host.config.profiles().find(({ active }) => active)?.name;
    const hidden = all ? 0 : servers.reduce((sum, server) => sum + server.shadows.length, 0);
    context.terminal.out(
      renderServerList({ servers, problems, hidden, profile }, context.style, displayContextOf(context)),
    );
    return 0;
  },
};
