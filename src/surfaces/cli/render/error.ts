import { type HostError, isHostError, messageOf, safeText, ToolAbortError } from "../../../index.ts";
import { shellWord } from "../shell-word.ts";
import type { Style } from "./style.ts";

/** The command to type next, where there is one and it is not the one that just failed. */
function commandFor(error: HostError, running: string): string | undefined {
  const command = suggestion(error);
  return command?.startsWith(`plugboard ${running} `) ? undefined : command;
}

function suggestion({ code, reason, server }: HostError): string | undefined {
  const name = shellWord(server ?? "");
  if (code === "INTERACTION_REQUIRED" && reason === "trust") return `plugboard trust ${name}`;
  if (code === "INTERACTION_REQUIRED" && reason === "review") return `plugboard pins diff ${name}`;
  if (code === "BUNDLE_UNKNOWN") return "plugboard bundles";
  if (code === "INTERACTION_REQUIRED" && reason === "signIn") return `plugboard login ${name}`;
  if (code === "SERVER_UNKNOWN") return "plugboard list";
  if (code === "RESOURCE_UNKNOWN") return `plugboard resources ${name}`;
  if (code === "PROMPT_UNKNOWN" || code === "PROMPT_ARGUMENTS_INVALID") return `plugboard prompts ${name}`;
  if (code === "SERVER_DISABLED") return `plugboard enable ${name}`;
  if (code === "TOOL_UNKNOWN" || code === "TOOL_ARGUMENTS_INVALID") return `plugboard tools ${name}`;
  if (/^CONNECT(ION)?_/.test(code) && server !== undefined) return `plugboard test ${name}`;
  return undefined;
}

/** What happened and what to do, for a person. */
export function renderError(error: unknown, style: Style, running: string): string {
  if (!isHostError(error)) {
    return `${style.bad("✗")} ${safeText(messageOf(error))}\n  This should not happen. Run the same with --verbose, and please report it.\n`;
  }
  const command = commandFor(error, running);
  // The seeds say it in one sentence.
  if (error.code === "SERVER_DISABLED" && command !== undefined) {
    const hint = error.hint === undefined ? "" : `\n  ${safeText(error.hint)}`;
    return `${style.bad("✗")} ${safeText(error.message)} Run ${command} first.${hint}\n`;
  }
  const below = (text: string): string => safeText(text).replaceAll("\n", "\n  ");
  return [
    `${style.bad("✗")} ${below(error.message)}`,
    ...(error.hint === undefined ? [] : [`  ${below(error.hint)}`]),
    ...(command === undefined ? [] : [`  ${style.dim("→")} ${command}`]),
    "",
  ].join("\n");
}

/** The same for `--json`. */
export function toErrorDocument(error: unknown, running: string): object {
  if (error instanceof ToolAbortError) return { error: { code: "CANCELLED", message: error.message } };
  if (!isHostError(error)) return { error: { code: "INTERNAL_BUG", message: messageOf(error) } };
  const { code, message, hint, server, reason } = error;
  const next = commandFor(error, running);
  const advice = [hint, next && `Run: ${next}`].filter(Boolean).join(" ");
  return {
    error: {
      code,
      message,
      ...(advice !== "" && { hint: advice }),
      ...(server !== undefined && { server }),
      ...(reason !== undefined && { reason }),
    },
  };
}
