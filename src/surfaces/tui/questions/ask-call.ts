import type { CallRequest, Host } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { shellWord } from "../../shared/shell-word.ts";
import type { Screen } from "../screen.ts";
import { quoted } from "./server-text.ts";

const MOST_ARGUMENTS = 4_000;

/** Asks on a screen whether a call may run. */
export type AskCall = (
  screen: Screen,
  request: CallRequest,
  context: { readonly signal: AbortSignal | undefined },
) => Promise<boolean>;

/**
 * Creates the question before a call. Remembers answers for the session, and "always" in the host. Asks again if a different rule
 * requires approval, or if the tool's definition changed.
 */
export function createCallQuestion(
  host: () => Pick<Host, "approvals">,
  program: "plugboard" | "/mcp",
): AskCall {
  const remembered = new Map<string, boolean>();
  return async (screen, request, { signal }) => {
    const { style } = screen;
    const key = JSON.stringify([request.server, request.tool, request.rule, request.hash]);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const server = safeLine(request.server);
    const tool = safeLine(request.tool);
    screen.print(
      `${style.warn("?")} ${style.bold(tool)} of ${style.bold(server)}\n${quoted(JSON.stringify(request.args, undefined, 2), MOST_ARGUMENTS)}`,
    );
    const answer = await screen.dialogs.choose({
      isUnexpected: true,
      title: `Call ${tool}?`,
      lines: [style.dim(safeLine(request.rule))],
      choices: [
        { value: "once", label: "Yes, once", key: "y" },
        { value: "session", label: "Yes, for the rest of this session", key: "s" },
        { value: "always", label: "Yes, always", note: "until the tool or its server changes", key: "a" },
        { value: "no", label: "No", key: "n" },
        { value: "never", label: "No, for the rest of this session", key: "d" },
      ] as const,
      ...(signal && { signal }),
    });
    const choice = answer.kind === "value" ? answer.value : "no";
    if (choice === "session" || choice === "never") remembered.set(key, choice === "session");
    if (choice === "always") {
      await host().approvals.allowCall(request.server, request.tool, request.hash);
      const revoke = `${program} untrust ${shellWord(request.server)} ${shellWord(request.tool)}`;
      screen.print(style.dim(`Plugboard no longer asks before calls of ${tool}. To revoke this: ${revoke}`));
    }
    return choice !== "no" && choice !== "never";
  };
}
