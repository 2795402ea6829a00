import type { SandboxRequest } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { describeDenial } from "../../shared/render/denial.ts";
import type { Screen } from "../screen.ts";

/** Asks whether a server's sandbox allows something that it refused. */
export async function askDenial(
  screen: Screen,
  { server, denial, isSensitive, choice }: SandboxRequest,
): Promise<boolean> {
  const { style } = screen;
  const name = safeLine(server);
  screen.print(
    [
      `${style.warn("!")} The sandbox of "${name}" refused ${describeDenial(denial)}.`,
      ...(isSensitive
        ? [style.warn("  This may contain credentials. The server asked for it, not you.")]
        : []),
      `  ${style.dim("its sandbox would be")} ${safeLine(choice.access)}`,
    ].join("\n"),
  );
  const answer = await screen.dialogs.choose({
    isUnexpected: true,
    title: `Allow "${name}" this from now on?`,
    choices: [
      { value: true, label: "Allow", note: "the server restarts", key: "y" },
      { value: false, label: "Don't allow", note: "you are not asked again in this session", key: "n" },
    ],
    initial: false,
  });
  const isAllowed = answer.kind === "value" && answer.value;
  screen.print(isAllowed ? `${style.good("✓")} Allowed. Use the tool again.` : "The sandbox stays as it is.");
  return isAllowed;
}
