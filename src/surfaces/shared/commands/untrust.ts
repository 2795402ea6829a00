import { HostError } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";

export const untrust: Command = {
  name: "untrust",
  summary: "Revoke the approval of a project's server, or of tools that you always allowed.",
  parameters: "<server> [tool]",
  words: { least: 1, most: 2 },
  flags: {},
  examples: ["plugboard untrust github", "plugboard untrust files write_file"],
  async run(context) {
    const { words, json, printJson, terminal, style, program, openHost } = context;
    const display = displayContextOf(context);
    const [server = "", tool] = words;
    const { approvals } = await openHost();
    const calls = await approvals.revokeCalls(server, tool);
    const isApproved = approvals.list().some((one) => one.server === server && one.status !== "elsewhere");
    if (tool !== undefined && calls.length === 0)
      throw new HostError("POLICY_NOT_NEEDED", `Tool "${tool}" of "${server}" was not always allowed.`, {
        server,
        hint: `To see what is approved and allowed: ${program} trust --list`,
      });
    const hasServer = tool === undefined && (isApproved || calls.length === 0);
    const revoked = hasServer ? await approvals.revoke(server) : [];
    if (json) printJson({ revoked, calls });
    else {
      for (const { tool: name } of calls)
        terminal.out(
          `${style.good("✓")} Calls to "${safeLine(name)}" of "${safeLine(server)}" require approval again.\n`,
        );
      for (const { file } of revoked)
        terminal.out(
          `${style.good("✓")} "${safeLine(server)}" from ${renderPlace({ file }, display)} is no longer approved.\n`,
        );
    }
    return 0;
  },
};
