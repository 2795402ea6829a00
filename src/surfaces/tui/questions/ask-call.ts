import type { CallRequest } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Screen } from "../screen.ts";
import { quoted } from "./server-text.ts";

const MOST_ARGUMENTS = 4_000;

export type CallRule = (
  request: CallRequest,
  context: { readonly signal: AbortSignal | undefined },
) => Promise<boolean>;

/**
 * Asks before a call and remembers answers for the session. Asks again if a different rule requires approval of the
 * tool.
 */
export function createCallQuestion(screen: Screen): CallRule {
  const remembered = new Map<string, boolean>();
  const { style } = screen;
  return async (request, { signal }) => {
    const key = JSON.stringify([request.server, request.tool, request.rule]);
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
        { value: "always", label: "Yes, for the rest of this session", key: "a" },
        { value: "no", label: "No", key: "n" },
        { value: "never", label: "No, for the rest of this session", key: "d" },
      ] as const,
      ...(signal && { signal }),
    });
    const choice = answer.kind === "value" ? answer.value : "no";
    if (choice === "always" || choice === "never") remembered.set(key, choice === "always");
    return choice === "once" || choice === "always";
  };
}
