import type { Host, Problem } from "../../../index.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { type OverviewServer, renderOverview } from "../render/overview.ts";
import { STATE_TRAITS } from "../render/state.ts";
import { reportWhileWaiting } from "../report-while-waiting.ts";
import { gatherOverview, toStatusDocument } from "./gather-overview.ts";

/** Connects to all servers that may run and prints their status. Returns 1 if there is a problem. */
export async function showStatus(context: CommandContext, host: Host): Promise<ExitCode> {
  const servers = await reportWhileWaiting(context, host, gatherOverview(host, context.program));
  const { problems } = host.snapshot();
  if (context.json) context.printJson({ servers: toStatusDocument(servers), problems });
  else if (servers.length === 0 && problems.length === 0)
    context.terminal.out("No MCP servers are configured here.\n");
  else
    context.terminal.out(
      renderOverview(
        { servers, problems },
        context.style,
        displayContextOf(context),
        context.terminal.columns,
      ),
    );
  return hasFailures(servers, problems) ? 1 : 0;
}

function hasFailures(servers: readonly OverviewServer[], problems: readonly Problem[]): boolean {
  return (
    servers.some(({ view }) => STATE_TRAITS[view.state].isTrouble) ||
    problems.some(({ severity }) => severity === "error")
  );
}
