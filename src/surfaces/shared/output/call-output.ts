import type { Host, HostOptions, ToolProgress, ToolResult } from "../../../index.ts";
import { safeLine, safeText, truncate } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";

/** Shows questions that the server asks during the call, if there is a terminal. */
export function answerServers(
  { json, terminal, style, interactive }: CommandContext,
  host: () => Host,
  progress: Progress,
): Pick<HostOptions, "onElicitation"> {
  if (interactive === undefined || json || !terminal.outIsTty || !terminal.canAnswer()) return {};
  let questions: Promise<NonNullable<HostOptions["onElicitation"]>> | undefined;
  return {
    async onElicitation(request, context) {
      questions ??= interactive.createTerminalQuestions(style, host);
      const askPerson = await questions;
      progress.pause();
      try {
        return await askPerson(request, context);
      } finally {
        progress.resume();
      }
    },
  };
}

/** Prints the result of a call. Returns 1 if the tool reports an error. */
export function printResult({ json, printJson, terminal }: CommandContext, result: ToolResult): ExitCode {
  if (json) printJson(result);
  else if (result.isError) terminal.err(`✗ ${safeText(result.text)}\n`);
  else {
    // Control characters are escaped on a terminal. A pipe gets the exact output of the tool.
    const text = terminal.outIsTty ? safeText(result.text) : result.text;
    terminal.out(text.endsWith("\n") ? text : `${text}\n`);
  }
  return result.isError ? 1 : 0;
}

/** Shows images on a terminal that can. The text already names the files. */
export async function printImages({ terminal }: CommandContext, { parts }: ToolResult): Promise<void> {
  if (!terminal.outIsTty || parts.every(({ type }) => type === "text")) return;
  const { renderImages } = await import("../render/inline-images.lazy.ts");
  const images = renderImages(parts, process.env);
  if (images !== "") terminal.out(images);
}

/** A progress line on the terminal, replaced during the call. */
export interface Progress {
  show(progress: ToolProgress): void;
  clear(): void;
  /** Hides the progress line until `resume`. */
  pause(): void;
  resume(): void;
}

export function showProgress({ json, terminal }: CommandContext): Progress {
  let shown = false;
  let isPaused = json;
  const clear = (): void => {
    if (shown) terminal.showProgress(undefined);
    shown = false;
  };
  return {
    show({ progress, total, message = "" }) {
      if (isPaused) return;
      const amount = total === undefined ? String(progress) : `${progress}/${total}`;
      terminal.showProgress(truncate(`… ${amount} ${safeLine(message)}`, terminal.columns - 1));
      shown = true;
    },
    clear,
    pause() {
      clear();
      isPaused = true;
    },
    resume() {
      isPaused = json;
    },
  };
}
