import type { ApprovalAnswer, ApprovalRequest, Host } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { renderApproval } from "../../shared/render/approval.ts";
import type { DisplayContext } from "../../shared/render/place.ts";
import { describeChoice } from "../../shared/sandbox-choice.ts";
import { shellWord } from "../../shared/shell-word.ts";
import type { Choice } from "../dialogs.ts";
import type { Screen } from "../screen.ts";

/** Asks the user to approve a project's server. Shows the complete launch first. */
export async function askApproval(
  screen: Screen,
  host: Pick<Host, "approvals">,
  request: ApprovalRequest,
  display: DisplayContext,
): Promise<ApprovalAnswer> {
  const { style } = screen;
  const server = safeLine(request.server);
  const inspection = await host.approvals.inspect(request.server);
  const { choices = [] } = inspection;
  screen.print(
    `${style.warn("!")} This project defines a server that needs your approval:\n\n${renderApproval(request, style, display, inspection, choices)}`,
  );
  const approvals: readonly Choice<string | boolean>[] =
    choices.length === 0
      ? [{ value: true, label: "Approve", note: "Plugboard asks again if the launch changes", key: "y" }]
      : choices.map(({ sandbox, access, hash }, index) => ({
          value: index === 0 ? true : hash,
          label: `Approve, ${describeChoice(sandbox)}`,
          note: access,
          ...(index === 0 && { key: "y" }),
        }));
  const answer = await screen.dialogs.choose({
    isUnexpected: true,
    title: `Allow "${server}" to run?`,
    choices: [
      ...approvals,
      {
        value: false,
        label: "Not now",
        note: `approve it later with /mcp trust ${shellWord(request.server)}`,
        key: "n",
      },
    ],
    initial: false,
  });
  const chosen = answer.kind === "value" && answer.value;
  screen.print(
    chosen !== false
      ? `${style.good("✓")} Approved. Plugboard asks again if the launch changes.`
      : `"${server}" was not approved.`,
  );
  if (typeof chosen === "string") return { hash: chosen };
  const [preselected] = choices;
  return chosen && preselected !== undefined ? { hash: preselected.hash } : chosen;
}
