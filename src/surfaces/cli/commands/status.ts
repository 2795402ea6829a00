import type { ServerStateKind } from "../../../index.ts";
import type { Command } from "../command.ts";
import { renderOverview } from "../render/overview.ts";
import { gatherOverview, toStatusDocument } from "./gather-overview.ts";
import { standpointOf } from "./standpoint.ts";

const TROUBLE: ReadonlySet<ServerStateKind> = new Set([
  "failed",
  "reconnecting", // it came up and was lost
  "invalid",
  "needs_auth",
  "needs_client_registration",
]);

export const status: Command = {
  name: "status",
  summary: "Connect to every approved server and show how it is. Exits 1 when something is wrong.",
  parameters: "",
  words: { least: 0, most: 0 },
  flags: {},
  examples: ["plugboard status", "plugboard status --json"],
  async run(context) {
    const host = await context.openHost();
    const servers = await gatherOverview(host);
    const { problems } = host.snapshot();
    if (context.json) context.printJson({ servers: toStatusDocument(servers), problems });
    else if (servers.length === 0 && problems.length === 0)
      context.terminal.out("No MCP servers are configured here.\n");
    else
      context.terminal.out(
        renderOverview({ servers, problems }, context.style, standpointOf(context), context.terminal.columns),
      );
    const bad =
      servers.some(({ view }) => TROUBLE.has(view.state)) ||
      problems.some(({ severity }) => severity === "error");
    return bad ? 1 : 0;
  },
};
