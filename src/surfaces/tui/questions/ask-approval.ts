import type { ApprovalRequest, Host } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { renderApproval } from "../../shared/render/approval.ts";
import type { DisplayContext } from "../../shared/render/place.ts";
import { shellWord } from "../../shared/shell-word.ts";
import type { Screen } from "../screen.ts";

/** Asks the user to approve a project's server. Shows the complete launch first. */
export async function askApproval(
  screen: Screen,
  host: Pick<Host, "approvals">,
  request: ApprovalRequest,
  display: DisplayContext,
): Promise<boolean> {
  const { style } = screen;
  const server = safeLine(request.server);
  const inspection = await host.approvals.inspect(request.server);
  screen.print(
    `${style.warn("!")} This project defines a server that needs your approval:\n\n${renderApproval(request, style, display, inspection)}`,
  );
  const answer = await screen.dialogs.choose({
    isUnexpected: true,
    title: `Allow "${server}" to run?`,
    choices: [
      { value: true, label: "Approve", note: "Plugboard asks again if the launch changes", key: "y" },
      {
        value: false,
        label: "Not now",
        note: `approve it later with /mcp trust ${shellWord(request.server)}`,
        key: "n",
      },
    ],
    initial: false,
  });
  const isApproved = answer.kind === "value" && answer.value;
  screen.print(
    isApproved
      ? `${style.good("✓")} Approved. Plugboard asks again if the launch changes.`
      : `"${server}" was not approved.`,
  );
  return isApproved;
}
